import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobs, useJobsFact, useSettings } from '../../bridge/live-state.tsx';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureFacts, useFailureText } from '../../lib/failure-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, Question } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { useCopy } from '../../ui/notices.ts';
import { ManyExports } from '../exports/many-exports.tsx';
import { isPerhapsAtService } from './job-order.ts';
import { JobsContext, useJobList, useJobsState, useListActions } from './jobs-context.ts';
import css from './jobs-provider.module.css';
import type { JobsStore, Overlay } from './jobs-store.ts';

const namedFiles = 4;

const voiceWord = (gender: string, t: TFunction): string =>
  gender === 'male' || gender === 'female' ? t(`transcribe.details.voices.${gender}`) : gender;

/** Lets what is inside act on a list of jobs, and shows its dialogs. */
export function JobsProvider({ store, children }: { readonly store: JobsStore; readonly children: ReactNode }) {
  return (
    <JobsContext value={useListActions(store)}>
      <OpenWanted />
      <Overlays />
      {children}
    </JobsContext>
  );
}

/** Opens the isolated audio of a row as soon as it is done. */
function OpenWanted() {
  const { store, openIsolated } = useJobList();
  const wanted = useJobsState((state) => state.wanted);
  const audioId = useJobsFact((jobs) => {
    const state = wanted?.opens === true ? jobs.find(({ id }) => id === wanted.jobId)?.state : undefined;
    return (state?.tag === 'done' && state.audioId) || '';
  });
  const open = useEffectEvent((id: string) => {
    openIsolated(id);
    // Once: hidden and shown again, it stays closed.
    if (wanted !== null) store.goTo({ jobId: wanted.jobId, opens: false });
  });
  useEffect(() => {
    if (audioId !== '') open(audioId);
  }, [audioId]);
  return null;
}

/** The dialogs that a row can open. A dialog closes by itself when its row disappears. */
function Overlays() {
  const { jobs } = useJobs();
  const { store } = useJobList();
  const overlay = useJobsState((state) => state.overlay);
  if (overlay.tag === 'cancel-question') return <CancelQuestion {...overlay} />;
  if (overlay.tag === 'languages') return <SpokenLanguages {...overlay} />;
  if (overlay.tag === 'export') {
    const wanted = new Set(overlay.jobIds);
    const transcripts = jobs.flatMap(({ id, name, state }) =>
      wanted.has(id) && state.tag === 'done' && state.transcriptId !== undefined
        ? [{ id: state.transcriptId, title: baseName(name) }]
        : [],
    );
    return transcripts.length > 0 && <ManyExports transcripts={transcripts} onClose={store.hide} />;
  }
  const job = overlay.tag === 'none' ? undefined : jobs.find(({ id }) => id === overlay.jobId);
  if (job === undefined) return null;
  if (overlay.tag === 'charge-question') return <ChargeQuestion job={job} />;
  return overlay.tag === 'details' && <JobDetails job={job} />;
}

/** Asked before anything is sent: a recording sent in the wrong language is charged and comes out wrong. */
function SpokenLanguages({ groups }: Extract<Overlay, { tag: 'languages' }>) {
  const t = useText();
  const { store } = useJobList();
  const { mode, speechLanguage } = useSettings();
  const add = (followsNames: boolean) => {
    store.hide();
    // One request for all languages, because one click authorizes only one.
    const dropped = groups.flatMap(({ files }) => files);
    void store.addDropped(dropped, { followsNames });
  };
  const namesOf = (files: readonly File[]) =>
    [
      ...files.slice(0, namedFiles).map(({ name }) => name),
      ...(files.length > namedFiles ? [t('transcribe.languages.more', { count: files.length - namedFiles })] : []),
    ].join(', ');
  return (
    <Dialog
      isOpen
      width="sm"
      title={t('transcribe.languages.title')}
      closeLabel={t('common.cancel')}
      onClose={store.hide}
      footer={
        <>
          <Button onPress={() => add(false)}>
            {t('transcribe.languages.all', { language: t(`common.languageNames.${speechLanguage}`) })}
          </Button>
          <Button isAutoFocused variant="primary" onPress={() => add(true)}>
            {t('transcribe.languages.each')}
          </Button>
        </>
      }
    >
      <p className={css['explained']}>
        {t(modeOf(mode).isFree ? 'transcribe.languages.text' : 'transcribe.languages.textCharged')}
      </p>
      <FactList
        facts={groups.map(({ language, files }) => ({
          label: t(`common.languageNames.${language}`),
          value: namesOf(files),
        }))}
      />
    </Dialog>
  );
}

function CancelQuestion({ jobIds, endedIds }: Extract<Overlay, { tag: 'cancel-question' }>) {
  const t = useText();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const { store, cancelNow } = useJobList();
  const { jobs } = useJobs();
  const count = jobIds.length;
  const only = count === 1 && endedIds.length === 0 ? jobs.find(({ id }) => id === jobIds[0]) : undefined;
  const stage = only === undefined ? 'many' : isPerhapsAtService(only) === 'yes' ? 'atService' : 'sending';
  return (
    <Question
      isOpen
      isDanger
      title={t('transcribe.cancelQuestion.title', { count })}
      confirm={t('transcribe.cancelQuestion.confirm', { count })}
      cancel={t('transcribe.cancelQuestion.keep')}
      onConfirm={() => void cancelNow(jobIds, endedIds)}
      onClose={store.hide}
    >
      {only && (
        <>
          <b>{only.name}</b>
          <br />
        </>
      )}
      {t(isLocal ? 'transcribe.here.cancelText' : `transcribe.cancelQuestion.${stage}`)}
    </Question>
  );
}

/** Sending starts as soon as it is the row's turn, and a charge is not refunded. */
function ChargeQuestion({ job }: { readonly job: JobView }) {
  const t = useText();
  const { store } = useJobList();
  return (
    <Question
      isOpen
      title={t('transcribe.chargeQuestion.title')}
      confirm={t('transcribe.chargeQuestion.confirm')}
      onConfirm={() => void store.retry(job.id, true)}
      onClose={store.hide}
    >
      <b>{job.name}</b>
      <br />
      {t('transcribe.chargeQuestion.text')}
    </Question>
  );
}

function JobDetails({ job }: { readonly job: JobView }) {
  const t = useText();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const copy = useCopy();
  const formats = useFormats();
  const words = useFailureText();
  const factsOf = useFailureFacts();
  const { store } = useJobList();
  const failure = 'failure' in job.state ? job.state.failure : null;
  const studio = useStudio();
  const { data: legacy } = useQuery({
    queryKey: ['jobs', 'legacy-facts', job.id],
    queryFn: () => valueOrThrow(studio.request('jobs.legacyFacts', { jobId: job.id })),
    enabled: job.kind === 'transcribe' && job.isLegacy === true && job.state.tag === 'done',
    retry: false,
  });
  const fact = (key: 'file' | 'size' | 'length' | 'api' | 'voice' | 'summary' | 'added', value: string) => ({
    label: t(`transcribe.details.${key}`),
    value,
  });
  const facts = [
    fact('file', job.name),
    fact('size', formats.bytes(job.sizeBytes)),
    ...(job.durationMs === null ? [] : [fact('length', formats.clock(job.durationMs))]),
    ...(job.kind === 'transcribe'
      ? [
          { label: t('transcribe.next.language'), value: t(`common.languageNames.${job.language}`) },
          {
            label: t('transcribe.next.speakers'),
            value: t(`transcribe.details.${job.includeSpeakers ? 'yes' : 'no'}`),
          },
          ...(job.isLegacy === true ? [fact('api', t('transcribe.details.legacy'))] : []),
          ...(legacy?.gender == null ? [] : [fact('voice', voiceWord(legacy.gender, t))]),
          ...(legacy?.summary == null ? [] : [fact('summary', legacy.summary)]),
        ]
      : []),
    fact('added', `${formats.date(job.addedAtMs)}, ${formats.time(job.addedAtMs)}`),
  ];
  const forSupport = [
    { label: t('transcribe.details.number'), value: job.id, isCode: true },
    ...(failure ? factsOf(failure) : []),
  ];
  const all = [...facts, ...forSupport];
  return (
    <Dialog
      isOpen
      title={t('transcribe.details.title')}
      onClose={store.hide}
      footer={
        <Button onPress={() => void copy(all.map(({ label, value }) => `${label}: ${value}`).join('\n'))}>
          {t('common.failure.copyDetails')}
        </Button>
      }
    >
      {failure && (
        <p className={css['explained']}>
          <b className="strong">{words(failure).title}.</b> {words(failure).textAfterTitle}
        </p>
      )}
      {isPerhapsAtService(job) === 'yes' && !isLocal && (
        <p className={css['explained']}>{t('transcribe.state.canClose')}</p>
      )}
      <FactList facts={facts} />
      <details className={css['support']}>
        <summary>{t('transcribe.details.forSupport')}</summary>
        <FactList facts={forSupport} />
      </details>
    </Dialog>
  );
}
