import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureFacts, useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { ManyExports } from '../../../parts/exports/many-exports.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, Question } from '../../../ui/dialog.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { isPerhapsAtService } from '../model/selectors.ts';
import type { Overlay } from '../model/transcribe-store.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import css from '../transcribe-screen.module.css';

/** The dialogs that a row can open. A dialog closes by itself when its row disappears. */
export function QueueOverlays({ jobs }: { readonly jobs: readonly JobView[] }) {
  const { store } = useTranscribe();
  const overlay = useTranscribeState((state) => state.overlay);
  if (overlay.tag === 'cancel-many') return <CancelMany {...overlay} />;
  if (overlay.tag === 'languages') return <SpokenLanguages {...overlay} />;
  const job = overlay.tag === 'none' ? undefined : jobs.find(({ id }) => id === overlay.jobId);
  if (job === undefined) return null;
  switch (overlay.tag) {
    case 'cancel-question':
      return <CancelQuestion job={job} />;
    case 'charge-question':
      return <ChargeQuestion job={job} />;
    case 'details':
      return <JobDetails job={job} />;
    case 'export': {
      const { transcriptId: id } = job.state.tag === 'done' ? job.state : {};
      return id === undefined ? null : (
        <ManyExports transcripts={[{ id, title: baseName(job.name) }]} onClose={store.hide} />
      );
    }
    case 'menu':
    case 'none':
      return null;
  }
}

/** Up to this many files are named; of more only the number is shown. */
const namedFiles = 4;

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
          <Button
            onPress={() => {
              add(false);
            }}
          >
            {t('transcribe.languages.all', { language: t(`common.languageNames.${next.language}`) })}
          </Button>
          <Button
            isAutoFocused
            variant="primary"
            onPress={() => {
              add(true);
            }}
          >
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
      onConfirm={() => {
        cancelNow(jobIds, endedIds);
      }}
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
  return (
    <Question
      isOpen
      isDanger
      title={t('transcribe.cancelQuestion.title')}
      confirm={t('transcribe.cancelQuestion.confirm')}
      cancel={t('transcribe.cancelQuestion.keep')}
      onConfirm={() => {
        cancelNow([job.id]);
      }}
      onClose={store.hide}
    >
      <b>{job.name}</b>
      <br />
      {t(
        isLocal
          ? 'transcribe.here.cancelText'
          : isPerhapsAtService(job) === 'yes'
            ? 'transcribe.cancelQuestion.atService'
            : 'transcribe.cancelQuestion.sending',
      )}
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
  const words = useFailureWords();
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
  const facts = [
    { label: t('transcribe.details.file'), value: job.name },
    { label: t('transcribe.details.size'), value: formats.bytes(job.sizeBytes) },
    ...(job.durationMs === null
      ? []
      : [{ label: t('transcribe.details.length'), value: formats.clock(job.durationMs) }]),
    ...(job.kind === 'transcribe'
      ? [
          { label: t('transcribe.next.language'), value: t(`common.languageNames.${job.language}`) },
          {
            label: t('transcribe.next.speakers'),
            value: t(job.includeSpeakers ? 'transcribe.details.yes' : 'transcribe.details.no'),
          },
          ...(job.isLegacy === true
            ? [{ label: t('transcribe.details.api'), value: t('transcribe.details.legacy') }]
            : []),
          ...(legacy?.gender == null
            ? []
            : [{ label: t('transcribe.details.voice'), value: voiceWord(legacy.gender, t) }]),
          ...(legacy?.summary == null ? [] : [{ label: t('transcribe.details.summary'), value: legacy.summary }]),
        ]
      : []),
    { label: t('transcribe.details.added'), value: `${formats.date(job.addedAtMs)}, ${formats.time(job.addedAtMs)}` },
  ];
  const forSupport = [
    { label: t('transcribe.details.number'), value: job.id, isCode: true },
    ...(failure ? factsOf(failure) : []),
  ];
  return (
    <Dialog
      isOpen
      title={t('transcribe.details.title')}
      closeLabel={t('common.close')}
      onClose={store.hide}
      footer={
        <Button
          onPress={() =>
            void copy([...facts, ...forSupport].map(({ label, value }) => `${label}: ${value}`).join('\n'))
          }
        >
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

/** In words where the service's word is known. */
const voiceWord = (gender: string, t: TFunction): string =>
  gender === 'male' || gender === 'female' ? t(`transcribe.details.voices.${gender}`) : gender;
