import {
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  Blend,
  Captions,
  ChevronsUp,
  Copy,
  Download,
  EyeOff,
  FileDown,
  FileText,
  FolderOpen,
  Info,
  KeyRound,
  Library,
  MapPinned,
  MessageSquareQuote,
  Pause,
  Play,
  RotateCw,
  Scissors,
  Send,
  Settings,
  Share,
  Trash2,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useMemo } from 'react';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import { freeSteps, newCharges, type FailureAction } from '../../../shared/domain/failures/actions.ts';
import { actionsOfFailure } from '../../../shared/domain/failures/describe-failure.ts';
import { isNeverSent } from '../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useQueue, useSettings } from '../../bridge/live-state.tsx';
import { useFailureActionText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { command, type MenuCommand, type MenuEntry } from '../../ui/menu.tsx';
import { useCopy } from '../../ui/notices.ts';
import { useToast } from '../../ui/toast.tsx';
import { isCancellable, isHidden, isMovable, isPausable, isRemovable, isTwin, twinIsolation } from './job-order.ts';
import { isSplittable } from './job-presentation.ts';
import { useJobList } from './jobs-context.ts';

const icons: Partial<Record<FailureAction, LucideIcon>> = {
  'enter-key': KeyRound,
  'change-key': KeyRound,
  'change-address': Settings,
  'locate-file': MapPinned,
  'open-earlier': FileText,
  'copy-earlier': Copy,
};

/** The service converts for free. */
export const savedFormats = ['mp3', 'wav', 'flac', 'ogg'] as const;

export const formatEntries = <F extends string>(formats: readonly F[], save: (format: F) => void) =>
  formats.map((format): MenuCommand => ({ id: format, text: format.toUpperCase(), onAction: () => save(format) }));

/** An unreadable answer is stored, because the user paid for it and must be able to get it. */
const hasRawAnswer = (state: JobView['state']): boolean =>
  state.tag === 'failed'
    ? state.hasRawAnswer
    : state.tag === 'needs-user' &&
      (state.failure.kind === 'answer-unreadable' || state.failure.kind === 'result-missing');

export const isFreeToRetry = ({ state }: JobView): boolean =>
  state.tag === 'failed' && actionsOfFailure(state.failure).some((action) => freeSteps.has(action));

/** The actions that are possible for a row now. Returns the same function until the language changes. */
export function useJobActions() {
  const t = useText();
  const copy = useCopy();
  const showToast = useToast();
  const list = useJobList();
  const actionText = useFailureActionText();
  const { isFree, origin } = modeOf(useSettings().mode);
  const { isHeld } = useQueue();
  return useMemo(() => {
    const { store, goOn, openTranscript, openIsolated, askAbout, findInLibrary, removeRows, cancelRows } = list;
    const { moveRow, transcribeIsolated, showSaved, restoreTranscript, openSettings } = list;
    const { ask } = store;
    const saveRaw = async (jobId: string) => {
      const saved = await ask('jobs.saveRawAnswer', { jobId });
      if (saved !== null && saved.savedAs !== null)
        showToast({ text: t('transcribe.rawSaved', { name: saved.savedAs }) });
    };
    const copyText = async (transcriptId: string) => {
      const made = await ask('exports.render', {
        transcriptId,
        format: 'txt',
        options: {},
        source: 'studio',
        part: 'all',
      });
      if (made?.kind === 'text') await copy(made.text);
    };
    const splitJob = async (jobId: string) => {
      const done = await ask('isolation.split', { jobId });
      if (done !== null && done.partCount > 0) showToast({ text: t('isolate.splitDone', { count: done.partCount }) });
    };
    const copyResult = async ({ id: jobId, name, kind }: JobView) => {
      if ((await ask('jobs.copyResult', { jobId })) === null) return;
      if (kind === 'isolate') store.goTo({ jobId, opens: true });
      else showToast({ icon: Copy, text: t('transcribe.actions.copied', { name }) });
    };
    const forFailure = (job: JobView, action: FailureAction): MenuCommand | null => {
      const offer = (onAction: () => void, text = actionText(action), icon = icons[action] ?? RotateCw) =>
        command(action, icon, text, onAction);
      const { id: jobId, state } = job;
      if (freeSteps.has(action)) return offer(() => void store.retry(jobId, false));
      if (newCharges.has(action))
        // Where nothing is charged, nothing is asked.
        return offer(
          isFree ? () => void store.retry(jobId, true) : () => store.show({ tag: 'charge-question', jobId }),
        );
      if (action === 'enter-key' || action === 'change-key') return offer(() => void ask('connection.enterKey', {}));
      if (action === 'change-address') return offer(openSettings);
      if (action === 'locate-file') return offer(() => void ask('jobs.locate', { jobId }));
      if (action === 'copy-earlier' && twinIsolation(job) === 'duplicate')
        return offer(() => void copyResult(job), t('isolate.actions.useEarlier'), Blend);
      const failure = 'failure' in state ? state.failure : null;
      const transcriptId = failure?.params?.['transcriptId'];
      if (action === 'copy-earlier' && failure?.code === 'other_language') return null;
      if (action === 'copy-earlier' && transcriptId !== undefined) return offer(() => void copyResult(job));
      if (action !== 'open-earlier' || typeof transcriptId !== 'string') return null;
      return failure?.code === 'same_in_trash'
        ? command(action, ArchiveRestore, t('transcripts.restoreAndOpen'), () => restoreTranscript(transcriptId))
        : offer(() => openTranscript(transcriptId));
    };
    const ofTranscript = ({ id: jobId, name }: JobView, transcriptId: string): readonly MenuEntry[] => [
      command('copy-text', Copy, t('exports.copy'), () => void copyText(transcriptId)),
      command('export', Share, t('transcribe.actions.export'), () => store.show({ tag: 'export', jobIds: [jobId] })),
      command('ask', MessageSquareQuote, t('library.askAbout'), () => askAbout(transcriptId)),
      command('show-in-library', Library, t('transcribe.actions.showInLibrary'), () => findInLibrary(baseName(name))),
    ];
    const ofIsolated = ({ name }: JobView, audioId: string): readonly MenuEntry[] => [
      command('transcribe', Captions, t('isolate.transcribe'), () => void transcribeIsolated(audioId, name)),
      {
        id: 'save',
        text: t('common.save'),
        icon: Download,
        entries: formatEntries(savedFormats, (format) => {
          void ask('isolation.save', { audioId, format }).then(showSaved);
        }),
      },
    ];
    const ofWaiting = (job: JobView): readonly MenuEntry[] => [
      command('run-next', ChevronsUp, t('transcribe.actions.runNext'), () => {
        void ask('jobs.runNext', { jobId: job.id });
      }),
      command('move-up', ArrowUp, t('transcribe.actions.moveUp'), () => void moveRow(job, -1), {
        shortcut: 'Alt+ArrowUp',
      }),
      command('move-down', ArrowDown, t('transcribe.actions.moveDown'), () => void moveRow(job, 1), {
        shortcut: 'Alt+ArrowDown',
      }),
    ];
    return (job: JobView) => {
      const { id: jobId, state } = job;
      const offered =
        'failure' in state ? actionsOfFailure(state.failure).flatMap((action) => forFailure(job, action) ?? []) : [];
      const { transcriptId, audioId } = state.tag === 'done' ? state : {};
      const open =
        transcriptId !== undefined
          ? () => openTranscript(transcriptId)
          : audioId !== undefined
            ? () => openIsolated(audioId)
            : null;
      const cancel = isCancellable(job) ? () => cancelRows([jobId]) : null;
      const remove = isRemovable(job) ? () => removeRows([jobId]) : null;
      const isHeldHere = isHeld && state.tag === 'waiting';
      const pause = isPausable(job) && !isHeldHere ? () => void store.actOn([jobId], 'pause') : null;
      const resumeAll = () =>
        command('go-on-all', Play, t('transcribe.batch.goOn'), () => void ask('jobs.hold', { isHeld: false }));
      const resume = () => {
        if (isNeverSent(job) && origin !== 'local')
          return command('send', Send, t('transcribe.actions.send'), () => void goOn([jobId]));
        // A single row of a paused queue would only wait on.
        return isHeld ? resumeAll() : command('go-on', Play, t('transcribe.actions.resume'), () => void goOn([jobId]));
      };
      const again = () => command('retry', RotateCw, t('common.retry'), () => void store.retry(jobId, false));
      const split =
        isSplittable(job) && command('split', Scissors, t('isolate.actions.split'), () => void splitJob(jobId));
      const leave = () => command('remove', Trash2, t('common.remove'), () => remove?.());
      const main = (): MenuCommand | null => {
        // Finished rows are the majority, so their button has no icon; their menu entries do.
        if (open !== null) return { id: 'open', text: t('common.open'), onAction: open };
        if (state.tag === 'paused') return resume();
        if (state.tag === 'cancelled') return again();
        if (isTwin(job) && twinIsolation(job) !== 'same_stopped')
          return offered.find(({ id }) => id === 'open-earlier' || id === 'copy-earlier') ?? leave();
        return state.tag === 'failed' || state.tag === 'needs-user' ? split || (offered[0] ?? null) : null;
      };
      const entries = (): readonly MenuEntry[] => {
        const all: readonly (MenuEntry | false | null | undefined)[] = [
          open && command('open', audioId === undefined ? FileText : Blend, t('common.open'), open),
          ...(transcriptId === undefined ? [] : ofTranscript(job, transcriptId)),
          ...(audioId === undefined ? [] : ofIsolated(job, audioId)),
          split,
          ...offered,
          state.tag === 'cancelled' && again(),
          pause && command('pause', Pause, t('transcribe.actions.pause'), pause),
          state.tag === 'paused' && resume(),
          isHeldHere && resumeAll(),
          ...(isMovable(job) ? ofWaiting(job) : []),
          hasRawAnswer(state) &&
            command('save-raw', FileDown, t('transcribe.actions.saveRaw'), () => void saveRaw(jobId)),
          command('show-recording', FolderOpen, t('transcribe.actions.showRecording'), () => {
            void ask('jobs.showRecording', { jobId });
          }),
          command('details', Info, t('transcribe.actions.details'), () => store.show({ tag: 'details', jobId })),
          'separator',
          cancel &&
            state.tag !== 'needs-user' &&
            command('cancel', X, t('transcribe.actions.cancel'), cancel, { isDanger: true }),
          remove &&
            (isHidden(job)
              ? command('hide', EyeOff, t('isolate.actions.hide'), remove, { shortcut: 'Delete' })
              : command('remove', Trash2, t('common.remove'), remove, { isDanger: true, shortcut: 'Delete' })),
        ];
        return all.filter((entry) => entry !== false && entry != null);
      };
      // The entries are built when their menu opens, because a list draws many rows and opens few menus.
      return { main: main(), entries, open, cancel, remove, pause };
    };
  }, [list, t, actionText, showToast, copy, isHeld, isFree, origin]);
}
