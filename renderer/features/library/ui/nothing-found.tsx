import { Search } from 'lucide-react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useJobs } from '../../../bridge/live-state.tsx';
import type { LibrarySearchAnswer } from '../../../bridge/types.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { activeParts, filterItems, without, type LibraryFilter, type ListedItem } from '../model/library-view.ts';
import { useLibraryContext } from '../library-context.ts';
import { useMomentCounts } from '../queries.ts';
import { useFilterText } from './filter-chips.tsx';
import css from './nothing-found.module.css';

export interface NothingFoundProps {
  readonly text: string;
  readonly answer: LibrarySearchAnswer;
  readonly items: readonly ListedItem[];
  readonly filter: LibraryFilter;
  readonly nowMs: number;
  readonly onFilter: (filter: LibraryFilter) => void;
  readonly onText: (text: string) => void;
}

/** Recordings that have no text yet are never found. */
const isToCome = ({ kind, state }: JobView): boolean =>
  // The transcript of a duplicate exists already; its row only waits for a decision.
  kind === 'transcribe' && !isOver.has(state.tag) && !(state.tag === 'needs-user' && state.failure.row === 'E-212');

const isOver: ReadonlySet<JobView['state']['tag']> = new Set(['done', 'failed', 'cancelled']);

/** Says how much was searched, offers the nearest spelling, and names the filters that hide results. */
export function NothingFound({ text, answer, items, filter, nowMs, onFilter, onText }: NothingFoundProps) {
  const t = useText();
  const textOf = useFilterText();
  const { folders } = useLibraryContext();
  const parts = activeParts(filter);
  const { data: hidden } = useMomentCounts(
    text,
    parts.map((part) => filterItems(items, without(filter, part), folders, nowMs)),
  );
  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const { nearest } = answer;
  const { jobs } = useJobs();
  const toComeCount = jobs.filter(isToCome).length;
  return (
    <section className={css['nothing']} aria-label={t('library.nothing.title', { text })}>
      <span aria-hidden className={css['glyph']}>
        <Search size={24} strokeWidth={1.75} />
      </span>
      <h2>{t('library.nothing.title', { text })}</h2>
      <p>
        {t('library.nothing.lookedIn', {
          some: filterItems(items, filter, folders, nowMs).length,
          count: kept.length + toComeCount,
        })}
      </p>
      {nearest && (
        <div className={css['card']}>
          <div>
            <span className={css['hint']}>{t('library.nothing.nearest')}</span>
            <span className={css['word']}>{nearest.text}</span>
          </div>
          <Button
            onPress={() => {
              onText(nearest.text);
            }}
          >
            {t('library.nothing.show', { count: nearest.momentCount })}
          </Button>
        </div>
      )}
      {parts.length > 0 && (
        <>
          <h3>{t('library.nothing.filters')}</h3>
          <ul className={css['filters']}>
            {parts.map((part, at) => (
              <li key={part}>
                <span>{textOf(filter, part)}</span>
                <span className={css['hint']}>{t('library.nothing.hides', { count: hidden?.[at] ?? 0 })}</span>
                <Button
                  size="sm"
                  variant="ghost"
                  onPress={() => {
                    onFilter(without(filter, part));
                  }}
                >
                  {t('library.nothing.turnOff')}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {toComeCount > 0 && <p className={css['hint']}>{t('library.nothing.notSearched', { count: toComeCount })}</p>}
    </section>
  );
}
