import { CopyCheck, FileX2, Trash2, X } from 'lucide-react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useState, type ReactNode } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useJobsFact, useJobsNow, useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { isTwin } from '../model/queue-order.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import css from './refused-list.module.css';

/** The name is shown before the reason already. */
function withoutName(failure: Failure): Failure {
  const { name: _, ...params } = failure.params ?? {};
  return { ...failure, params };
}

/** Their title says everything; that nothing was charged need not be repeated for each. */
const saidByTitle: ReadonlySet<string> = new Set(['empty_file', 'empty_folder', 'not_audio', 'no_sound']);

const drawnAtOnce = 100;

/** One line with the number of rejected files, which lists them on request. */
export function RefusedList() {
  const t = useText();
  const words = useFailureText();
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
        <Button size="sm" variant="ghost" onPress={() => setIsOpen(!isOpen)}>
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
                onPress={() => store.hideRefused(key)}
              />
            </li>
          ))}
          {(canShowMore || unnamedCount > 0) && (
            <li className={css['file']}>
              <span className={css['words']}>{t('transcribe.refused.more', { count: count - shown.length })}</span>
              {canShowMore && (
                <Button size="sm" variant="ghost" onPress={() => setWanted(wanted + drawnAtOnce)}>
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
  const { speechLanguage: language, includeSpeakers } = useSettings();
  if (repeated === null) return null;
  const names = repeated.files.map(({ name }) => name);
  return (
    <Note
      title={t('transcribe.repeated', { count: repeated.count })}
      text={names.slice(0, namedRepeats).join(', ')}
      tip={names.join('\n')}
    >
      <Button size="sm" variant="ghost" onPress={() => void store.addRepeated({ language, includeSpeakers })}>
        {t('transcribe.addRepeated')}
      </Button>
      <IconButton size="sm" icon={X} label={t('common.dismiss')} onPress={store.hideRepeated} />
    </Note>
  );
}

const countTwins = (jobs: readonly JobView[]): number => jobs.filter(isTwin).length;

/** For several duplicates at once: what they have in common, and one decision for all. */
export function Twins() {
  const t = useText();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const { removeRows } = useTranscribe();
  const count = useJobsFact(countTwins);
  const jobsNow = useJobsNow();
  if (count < 2) return null;
  const remove = () => {
    const twins = jobsNow().filter(isTwin);
    removeRows(twins.map(({ id }) => id));
  };
  return (
    <Note
      title={t('transcribe.twins', { count })}
      text={t(isLocal ? 'transcribe.here.twinsText' : 'transcribe.twinsText')}
    >
      <Button size="sm" variant="ghost" icon={Trash2} onPress={remove}>
        {t('transcribe.removeTwins', { count })}
      </Button>
    </Note>
  );
}

function Note(props: {
  readonly title: string;
  readonly text: string;
  readonly tip?: string;
  readonly children: ReactNode;
}) {
  return (
    <output className={cx(css['refused'], css['repeated'])}>
      <span className={css['header']}>
        <CopyCheck aria-hidden size={16} strokeWidth={1.75} />
        <span className={css['words']} title={props.tip}>
          <b className={css['name']}>{props.title}</b>
          {props.text}
        </span>
        {props.children}
      </span>
    </output>
  );
}
