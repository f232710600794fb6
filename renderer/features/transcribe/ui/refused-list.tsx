import { CopyCheck, FileX2, Trash2, X } from 'lucide-react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useState } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useJobsFact, useJobsNow, useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { isTwin } from '../model/selectors.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import css from './refused-list.module.css';

/** The name is shown before the reason already. */
function withoutName(failure: Failure): Failure {
  const { name: _, ...params } = failure.params ?? {};
  return { ...failure, params };
}

/**
 * The user can do nothing about these; their title says everything, and that nothing was charged need not be repeated
 * for each.
 */
const saidByTitle: ReadonlySet<string> = new Set(['empty_file', 'empty_folder', 'not_audio', 'no_sound']);

/** How many are drawn at first, and how many each click adds. */
const drawnAtOnce = 100;

/**
 * Says in one line how many files were rejected, and lists each with its reason on request, until the user hides it.
 */
export function RefusedList() {
  const t = useText();
  const words = useFailureWords();
  const run = useRunCommand();
  const { store } = useTranscribe();
  const refused = useTranscribeState((state) => state.refused);
  const unnamedCount = useTranscribeState((state) => state.unnamedCount);
  const [wanted, setWanted] = useState(drawnAtOnce);
  const [isOpen, setIsOpen] = useState(false);
  const reasonOf = (failure: Failure) => {
    const said = words(withoutName(failure));
    return saidByTitle.has(failure.code) ? said.title : said.text;
  };
  const count = refused.length + unnamedCount;
  if (count === 0) return null;
  const shown = refused.slice(0, wanted);
  const canShowMore = refused.length > shown.length;
  return (
    <section
      role="alert"
      className={cx(css['refused'], isOpen && css['open'])}
      aria-label={t('transcribe.refused.title', { count })}
    >
      <div className={css['header']}>
        <FileX2 aria-hidden size={16} strokeWidth={1.75} />
        <h2 className={css['title']}>{t('transcribe.refused.title', { count })}</h2>
        {refused.some(({ failure }) => failure.code === 'text_file') && (
          <Button size="sm" variant="ghost" onPress={() => run('transcripts.import')}>
            {t('palette.commands.importTranscripts')}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          onPress={() => {
            setIsOpen(!isOpen);
          }}
        >
          {t(isOpen ? 'transcribe.refused.hideList' : 'transcribe.refused.show')}
        </Button>
        <IconButton
          size="sm"
          icon={X}
          label={t('transcribe.refused.all')}
          onPress={() => {
            setIsOpen(false);
            store.hideAllRefused();
          }}
        />
      </div>
      {isOpen && (
        <ul className={css['list']}>
          {shown.map(({ key, name, failure }) => (
            <li key={key} className={css['file']}>
              <div className={css['words']}>
                <b className={css['name']}>{name}</b>
                <span>{reasonOf(failure)}</span>
              </div>
              <IconButton
                size="sm"
                icon={X}
                label={`${t('transcribe.refused.one')}: ${name}`}
                onPress={() => {
                  store.hideRefused(key);
                }}
              />
            </li>
          ))}
          {(canShowMore || unnamedCount > 0) && (
            <li className={css['file']}>
              <span className={css['words']}>{t('transcribe.refused.more', { count: count - shown.length })}</span>
              {canShowMore && (
                <Button
                  size="sm"
                  variant="ghost"
                  onPress={() => {
                    setWanted(wanted + drawnAtOnce);
                  }}
                >
                  {t('transcribe.refused.showMore')}
                </Button>
              )}
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

/** A tooltip names the remaining files. */
const namedRepeats = 3;

/** Files that the queue already has are no problem, so one line reports them and offers to add them again. */
export function Repeated() {
  const t = useText();
  const { store } = useTranscribe();
  const repeated = useTranscribeState((state) => state.repeated);
  const { speechLanguage, includeSpeakers } = useSettings();
  if (repeated === null) return null;
  return (
    <output className={cx(css['refused'], css['repeated'])}>
      <span className={css['header']}>
        <CopyCheck aria-hidden size={16} strokeWidth={1.75} />
        <span className={css['words']} title={repeated.files.map(({ name }) => name).join('\n')}>
          <b className={css['name']}>{t('transcribe.repeated', { count: repeated.count })}</b>
          {repeated.files
            .slice(0, namedRepeats)
            .map(({ name }) => name)
            .join(', ')}
        </span>
        <Button
          size="sm"
          variant="ghost"
          onPress={() => void store.addRepeated({ language: speechLanguage, includeSpeakers })}
        >
          {t('transcribe.addRepeated')}
        </Button>
        <IconButton size="sm" icon={X} label={t('common.dismiss')} onPress={store.hideRepeated} />
      </span>
    </output>
  );
}

const countTwins = (jobs: readonly JobView[]): number => jobs.filter(isTwin).length;

/** For several duplicates at once: what they have in common, and one decision for all. */
export function Twins() {
  const t = useText();
  const { mode } = useSettings();
  const { removeRows } = useTranscribe();
  const count = useJobsFact(countTwins);
  const jobsNow = useJobsNow();
  if (count < 2) return null;
  return (
    <output className={cx(css['refused'], css['repeated'])}>
      <span className={css['header']}>
        <CopyCheck aria-hidden size={16} strokeWidth={1.75} />
        <span className={css['words']}>
          <b className={css['name']}>{t('transcribe.twins', { count })}</b>
          {t(modeOf(mode).origin === 'local' ? 'transcribe.here.twinsText' : 'transcribe.twinsText')}
        </span>
        <Button
          size="sm"
          variant="ghost"
          icon={Trash2}
          onPress={() => {
            removeRows(
              jobsNow()
                .filter(isTwin)
                .map(({ id }) => id),
            );
          }}
        >
          {t('transcribe.removeTwins', { count })}
        </Button>
      </span>
    </output>
  );
}
