import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ChevronDown, ChevronRight, History, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { useSpeakState } from '../speak-context.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import css from './history-list.module.css';
import { HistoryGroup, groupTakes } from './history-group.tsx';
import { HistoryRow } from './history-row.tsx';

/** How many texts the short list has, and how many takes are searched for them. */
const fewTexts = 3;
const fewCount = 100;
const pageCount = 50;
/** A collapsed short list stays collapsed, also when the user comes back. */
const fold = { isOn: false };

/** Generated speech, here and at the service, by text. The short list has the newest of this computer. */
export function HistoryList({ isWhole, onWhole }: { readonly isWhole: boolean; readonly onWhole: () => void }) {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const queries = useQueryClient();
  const [search, setSearch] = useState('');
  const [isFolded, setIsFolded] = useState(fold.isOn);
  const [limit, setLimit] = useState(pageCount);
  const madeCount = useSpeakState(({ takes }) => takes.size);
  const key = ['speak', 'history', isWhole, isWhole ? search : '', isWhole ? limit : fewCount] as const;
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () =>
      valueOrThrow(
        studio.request('speak.history', {
          search: isWhole ? search : '',
          beforeMs: null,
          limit: isWhole ? limit : fewCount,
          withRemote: isWhole,
        }),
      ),
    placeholderData: (before) => before,
    retry: false,
    staleTime: 0,
  });
  const refresh = () => void queries.invalidateQueries({ queryKey: ['speak', 'history'] });
  // A take belongs to its text when the text is saved with it; before, it would stand among the previews.
  const isSaved = useSpeakState(({ saving, isGenerating }) => saving !== 'saving' && !isGenerating);
  const shownCount = useRef(-1);
  useEffect(() => {
    if (!isSaved || shownCount.current === madeCount) return;
    shownCount.current = madeCount;
    void queries.invalidateQueries({ queryKey: ['speak', 'history'] });
  }, [madeCount, isSaved, queries]);
  const failure = failureOf(error) ?? data?.failure ?? null;
  const isEmpty = data !== undefined && data.takes.length === 0 && data.remote.length === 0;
  const groups = useMemo(() => groupTakes(data?.takes ?? [], data?.texts ?? []), [data]);
  const setFolded = (isOn: boolean) => {
    fold.isOn = isOn;
    setIsFolded(isOn);
  };
  if (!isWhole && (data === undefined || isEmpty)) return null;
  return (
    <section className={isWhole ? css['whole'] : css['few']} aria-label={t('speak.history')}>
      <header className={css['head']}>
        {isWhole ? (
          <h2>{t('speak.history')}</h2>
        ) : (
          <h2>
            <PressButton
              className={css['fold']}
              label={t('speak.history')}
              isExpanded={!isFolded}
              tip={{ text: t(isFolded ? 'speak.historyOf.unfold' : 'speak.historyOf.fold') }}
              onPress={() => setFolded(!isFolded)}
            >
              {isFolded ? <ChevronRight aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
              {t('speak.history')}
            </PressButton>
          </h2>
        )}
        {isWhole ? (
          <Button size="sm" variant="ghost" icon={ArrowLeft} onPress={onWhole}>
            {t('speak.back')}
          </Button>
        ) : (
          <Button size="sm" variant="ghost" onPress={onWhole}>
            {t('speak.showAll')}
          </Button>
        )}
      </header>
      {isWhole && (
        <div className={css['search']}>
          <Field
            type="search"
            icon={Search}
            label={t('speak.searchHistory')}
            placeholder={t('speak.searchHistory')}
            value={search}
            onChange={setSearch}
          />
        </div>
      )}
      {isWhole && failure !== null && (
        <div className={css['search']}>
          <Banner icon={History} title={t('speak.historyFailed')}>
            {words(failure).text}
          </Banner>
        </div>
      )}
      {isEmpty && (
        <EmptyState icon={History} title={t(search === '' ? 'speak.historyEmpty' : 'speak.historyNone')}>
          {t(search === '' ? 'speak.historyEmptyText' : 'speak.historyNoneText')}
        </EmptyState>
      )}
      {(isWhole || !isFolded) && (
        <ul className={css['list']}>
          {(isWhole ? groups : groups.slice(0, fewTexts)).map((group) => (
            <HistoryGroup
              key={`${group.text?.id ?? ''} ${String(search !== '')}`}
              group={group}
              isOpenFirst={isWhole && search !== ''}
              onOpened={() => {
                if (isWhole) onWhole();
              }}
              onChanged={refresh}
            />
          ))}
          {data?.remote.map((one) => (
            <HistoryRow
              key={one.id}
              {...one}
              voiceId={one.voiceId ?? ''}
              language={one.language ?? ''}
              speed={1}
              bars=""
              take={null}
              remoteId={one.id}
              onChanged={refresh}
            />
          ))}
        </ul>
      )}
      {isWhole && data?.hasMore === true && (
        <div className={css['search']}>
          <Button size="sm" onPress={() => setLimit(limit + pageCount)}>
            {t('speak.more')}
          </Button>
        </div>
      )}
    </section>
  );
}
