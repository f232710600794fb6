import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { FileX2 } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useJobs, useJobsFact, useJobsNow, useQueue, useSettings, useSettingsNow } from '../../bridge/live-state.tsx';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { useFailureText, useFailureFacts } from '../../lib/failure-text.ts';
import { useText, useFormats } from '../../lib/text.ts';
import { ManyExports } from '../../parts/exports/many-exports.tsx';
import type { AllRefused } from '../../parts/files/adding.ts';
import { TakeRecordings } from '../../parts/files/use-file-drop.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, Question } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { useCopy } from '../../ui/notices.ts';
import { failureShownForMs, useToast } from '../../ui/toast.tsx';
import { isPausable, sortJobs, withTwins, isPerhapsAtService } from './model/queue-order.ts';
import { createTranscribeStore, type TranscribeStore, type Overlay } from './model/transcribe-store.ts';
import { TranscribeContext, useQueueActions, useTranscribe, useTranscribeState } from './transcribe-context.ts';
import css from './transcribe-screen.module.css';
import {
  type JobActions,
  isFreeToRetry,
  useJobActions,
  type JobPresentation,
  useJobPresentation,
} from './ui/job-rows.ts';

const namedFiles = 4;

const voiceWord = (gender: string, t: TFunction): string =>
  gender === 'male' || gender === 'female' ? t(`transcribe.details.voices.${gender}`) : gender;

/** Wraps all screens, so that each can act on recordings and rows. */
export function QueueProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [, navigate] = useLocation();
  const [store] = useState(() => createTranscribeStore(studio));
  const actions = useQueueActions(store);
  const takeRecordings = useAddFromElsewhere(store);
  useEffect(
    () => studio.subscribe('transcript.wanted', ({ transcriptId }) => navigate(`/transcripts/${transcriptId}`)),
    [studio, navigate],
  );
  useEffect(() => studio.subscribe('files.adding', store.showAdding), [studio, store]);
  return (
    <TranscribeContext value={actions}>
      <TakeRecordings value={(files) => void takeRecordings(files)}>
        <QueueCommands />
        <Overlays />
        {children}
      </TakeRecordings>
    </TranscribeContext>
  );
}

/** Adding that takes longer shows its progress in the queue. */
const unseenAddingMs = 3000;

/** Adds recordings from another screen and shows the queue, unless the user left that screen or all are rejected. */
function useAddFromElsewhere(store: TranscribeStore) {
  const [, navigate] = useLocation();
  const settingsNow = useSettingsNow();
  const t = useText();
  const words = useFailureText();
  const showToast = useToast();
  /** The reason that all of several have, or the first one with its file. */
  const textOf = ({ count, failures }: AllRefused): string => {
    const title = t('transcribe.refused.title', { count });
    const reasons = failures.map(words);
    const [first] = reasons;
    if (first === undefined) return title;
    if (count === 1) return first.text;
    const isShared = reasons.length === count && reasons.every((reason) => reason.title === first.title);
    return `${title}. ${isShared ? first.title : first.text}`;
  };
  return async (files: readonly File[]) => {
    const { speechLanguage: language, includeSpeakers } = settingsNow();
    const { hash } = window.location;
    let isDecided = false;
    const showQueue = () => {
      if (!isDecided && window.location.hash === hash) navigate('/');
      isDecided = true;
    };
    const timer = setTimeout(showQueue, unseenAddingMs);
    const rejected = await store.drop(files, { language, includeSpeakers });
    clearTimeout(timer);
    if (rejected === null) showQueue();
    // The queue says why each of them was rejected.
    if (rejected === null || window.location.hash === '#/') return;
    showToast({
      text: textOf(rejected),
      icon: FileX2,
      shownForMs: failureShownForMs,
      action: { text: t('transcribe.refused.show'), onPress: () => navigate('/') },
    });
  };
}

const hasRetriable = (jobs: readonly JobView[]) => jobs.some(isFreeToRetry);
const hasPausable = (jobs: readonly JobView[]) => jobs.some(isPausable);
const hasBlocked = (jobs: readonly JobView[]) => jobs.some(({ state }) => state.tag === 'blocked');

function QueueCommands() {
  const { store } = useTranscribe();
  const jobsNow = useJobsNow();
  const canRetry = useJobsFact(hasRetriable);
  const canPause = useJobsFact(hasPausable);
  const isBlocked = useJobsFact(hasBlocked);
  const [location, navigate] = useLocation();
  const { speechLanguage, includeSpeakers, mode } = useSettings();
  const { isHeld } = useQueue();
  const next = { language: speechLanguage, includeSpeakers };
  // Added and rejected files are shown on the queue's screen.
  const onQueue = (run: () => void) => () => {
    if (location !== '/') navigate('/');
    run();
  };
  const retryFailed = () => {
    const failedIds = jobsNow().flatMap((job) => (isFreeToRetry(job) ? job.id : []));
    void store.actOn(failedIds, 'retry');
  };
  useCommands({
    'files.add': onQueue(() => void store.addPicked('files', next)),
    'folder.add': onQueue(() => void store.addPicked('folder', next)),
    'samples.add': modeOf(mode).isPractice && onQueue(() => void store.addSamples()),
    'queue.retryFailed': canRetry && retryFailed,
    'queue.pause': !isHeld && canPause && (() => void store.hold(true)),
    'queue.goOn': isHeld && (() => void store.hold(false)),
    'queue.resume': isBlocked && (() => void store.resumeQueue()),
    'key.enter': mode === 'service' && (() => void store.enterKey()),
  });
  return null;
}

export interface QueueRow {
  readonly job: JobView;
  readonly look: JobPresentation;
  readonly actions: Pick<JobActions, 'main' | 'open' | 'cancel'>;
}

export function useQueueRows(): (jobs: readonly JobView[], nowMs: number) => readonly QueueRow[] {
  const lookOf = useJobPresentation();
  const actionsOf = useJobActions();
  return (jobs, nowMs) =>
    sortJobs(withTwins(jobs, null)).map((job) => ({ job, look: lookOf(job, nowMs), actions: actionsOf(job) }));
}

/** Why the last action on a row was refused, and how to hide that; the queue's screen shows it too. */
export function useQueueRefusal(): { readonly failure: Failure | null; readonly hide: () => void } {
  const { store } = useTranscribe();
  return { failure: useTranscribeState((state) => state.failure), hide: store.hideFailure };
}

/** The dialogs that a row can open. A dialog closes by itself when its row disappears. */
function Overlays() {
  const { jobs } = useJobs();
  const { store } = useTranscribe();
  const overlay = useTranscribeState((state) => state.overlay);
  if (overlay.tag === 'cancel-many') return <CancelMany {...overlay} />;
  if (overlay.tag === 'languages') return <SpokenLanguages {...overlay} />;
  const job = overlay.tag === 'none' ? undefined : jobs.find(({ id }) => id === overlay.jobId);
  if (job === undefined) return null;
  if (overlay.tag === 'cancel-question') return <CancelQuestion job={job} />;
  if (overlay.tag === 'charge-question') return <ChargeQuestion job={job} />;
  if (overlay.tag === 'details') return <JobDetails job={job} />;
  const { transcriptId: id } = job.state.tag === 'done' ? job.state : {};
  if (overlay.tag !== 'export' || id === undefined) return null;
  return <ManyExports transcripts={[{ id, title: baseName(job.name) }]} onClose={store.hide} />;
}

/** Asked before anything is sent: a recording sent in the wrong language is charged and comes out wrong. */
function SpokenLanguages({ groups, next }: Omit<Extract<Overlay, { tag: 'languages' }>, 'tag'>) {
  const t = useText();
  const { store } = useTranscribe();
  const { mode } = useSettings();
  const add = (followsNames: boolean) => {
    store.hide();
    // One request for all languages, because one click authorizes only one.
    const dropped = groups.flatMap(({ files }) => files);
    void store.addDropped(dropped, next, followsNames);
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
            {t('transcribe.languages.all', { language: t(`common.languageNames.${next.language}`) })}
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

function CancelMany({ jobIds, endedIds }: Omit<Extract<Overlay, { tag: 'cancel-many' }>, 'tag'>) {
  const t = useText();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const { store, cancelNow } = useTranscribe();
  return (
    <Question
      isOpen
      isDanger
      title={t('transcribe.cancelMany.title', { count: jobIds.length })}
      confirm={t('transcribe.cancelMany.confirm', { count: jobIds.length })}
      cancel={t('transcribe.cancelQuestion.keep')}
      onConfirm={() => cancelNow(jobIds, endedIds)}
      onClose={store.hide}
    >
      {t(isLocal ? 'transcribe.here.cancelText' : 'transcribe.cancelMany.text')}
    </Question>
  );
}

function CancelQuestion({ job }: { readonly job: JobView }) {
  const t = useText();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const { store, cancelNow } = useTranscribe();
  const stage = isPerhapsAtService(job) === 'yes' ? 'atService' : 'sending';
  return (
    <Question
      isOpen
      isDanger
      title={t('transcribe.cancelQuestion.title')}
      confirm={t('transcribe.cancelQuestion.confirm')}
      cancel={t('transcribe.cancelQuestion.keep')}
      onConfirm={() => cancelNow([job.id])}
      onClose={store.hide}
    >
      <b>{job.name}</b>
      <br />
      {t(isLocal ? 'transcribe.here.cancelText' : `transcribe.cancelQuestion.${stage}`)}
    </Question>
  );
}

/** Sending starts as soon as it is the row's turn, and a charge is not refunded. */
function ChargeQuestion({ job }: { readonly job: JobView }) {
  const t = useText();
  const { store } = useTranscribe();
  return (
    <Question
      isOpen
      title={t('transcribe.chargeQuestion.title')}
      confirm={t('transcribe.chargeQuestion.confirm')}
      onConfirm={() => void store.retry(job, true)}
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
  const { store } = useTranscribe();
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
      closeLabel={t('common.close')}
      onClose={store.hide}
      footer={
        <Button onPress={() => void copy(all.map(({ label, value }) => `${label}: ${value}`).join('\n'))}>
          {t('common.failure.copyDetails')}
        </Button>
      }
    >
      {failure && (
        <p className={css['explained']}>
          <b>{words(failure).title}.</b> {words(failure).textAfterTitle}
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
