import { isRecordingName } from '../../../../shared/domain/media/sniff.ts';
import { useMutation, useQueryClient, useMutationState } from '@tanstack/react-query';
import {
  ArrowDown,
  ArrowUp,
  AudioLines,
  Captions,
  CircleAlert,
  FileX2,
  HardDrive,
  Languages,
  X,
  FlaskConical,
  UserRound,
  UsersRound,
  WandSparkles,
} from 'lucide-react';
import { useLocation } from 'wouter';
import { useMemo, useState } from 'react';
import { isTextName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { cueProblemKinds } from '../../../../shared/domain/subtitles/check-cues.ts';
import { guessLanguage } from '../../../../shared/domain/imports/guess-language.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner, type BannerProps } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useChecksCaptions, useDocument, useEditor, usePlayerState, useEditorState } from '../editor-context.ts';
import { transcriptQuery, useChangeDetail } from '../queries.ts';
import { CommandButton } from './command-button.tsx';
import { useSetLanguage } from './editor-header.tsx';
import css from './notices.module.css';
import type { TranscriptDetail } from '../../../bridge/types.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useCommands, useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { DropOverlay } from '../../../parts/files/drop-zone.tsx';
import { useTakeRecordings, useTextsAndRecordingsDrop } from '../../../parts/files/use-file-drop.ts';
import { useToast } from '../../../ui/toast.tsx';
import { ToggleButtonGroup } from 'react-aria-components';
import { namesBefore, takeNames } from '../../../../shared/domain/imports/speaker-labels.ts';
import { mostLeftAsText } from '../../../../shared/domain/settings/left-places.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { ToggleChip } from '../../../ui/toggle-chip.tsx';
import { focusTextPane } from '../../../lib/text-pane.ts';

export function SavingNotice() {
  const t = useText();
  const words = useFailureText();
  const saving = useDocument((state) => state.saving);
  const failure = useDocument((state) => state.failure);
  if (saving === 'saved' || failure === null) return null;
  return (
    <div className={css['notice']}>
      <Banner tone="bad" role="alert" icon={HardDrive} title={t('editor.title.keptHere')}>
        {t('editor.title.keptHereText')} {words(failure).text}
      </Banner>
    </div>
  );
}

export function LanguageNotice() {
  const t = useText();
  const { detail } = useEditor();
  const [isHidden, setIsHidden] = useState(false);
  const choose = useSetLanguage();
  const { language, segments } = detail.transcript;
  const guessed = useMemo(() => guessLanguage(beginningOf(segments)), [segments]);
  if (isHidden || guessed === null || guessed === language) return null;
  const name = t(`common.languageNames.${guessed}`);
  return (
    <div className={cx(css['notice'], css['waiting'])}>
      <Banner
        icon={Languages}
        title={t('editor.language.looksLike', { language: name })}
        actions={
          <>
            <Button size="sm" onPress={() => void choose(guessed)}>
              {t(`editor.language.set.${guessed}`)}
            </Button>
            <IconButton size="sm" icon={X} label={t('common.close')} onPress={() => setIsHidden(true)} />
          </>
        }
      >
        {t('editor.language.decides', { language: t(`common.languageNames.${language}`) })}
      </Banner>
    </div>
  );
}

function beginningOf(segments: readonly { readonly text: string }[]): string {
  let text = '';
  for (const segment of segments) {
    text += `${segment.text} `;
    if (text.length > 1500) break;
  }
  return text;
}

export function MediaNotice() {
  const t = useText();
  const { detail } = useEditor();
  const { failure } = usePlayerState();
  const kind = detail.mediaUrl === null ? 'missing' : failure;
  if (kind === null)
    return detail.playsIsolated ? <PlaysIsolated /> : isTextName(detail.sourceName) ? <ShorterRecording /> : null;
  if (kind === 'missing') return detail.mediaFailure?.code === 'sound_removed' ? <TakeSoundAgain /> : <FindRecording />;
  return (
    <div className={css['notice']}>
      <Banner tone="warn" icon={CircleAlert} title={t(`editor.media.${kind}Title`)}>
        {t(`editor.media.${kind}Text`)}
      </Banner>
    </div>
  );
}

function MediaBanner({
  action,
  task,
  ...banner
}: BannerProps & {
  readonly action: string;
  readonly task: { readonly isPending: boolean; readonly mutate: () => void };
}) {
  return (
    <div className={cx(css['notice'], css['waiting'])}>
      <Banner
        tone="warn"
        actions={
          <Button size="sm" isLoading={task.isPending} onPress={() => task.mutate()}>
            {action}
          </Button>
        }
        {...banner}
      />
    </div>
  );
}

function PlaysIsolated() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const { detail } = useEditor();
  const back = useMutation({
    mutationFn: () => valueOrThrow(studio.request('isolation.useOriginal', { transcriptId: detail.id })),
    onSuccess: () => queries.invalidateQueries({ queryKey: transcriptQuery(studio, detail.id).queryKey }),
  });
  return (
    <MediaBanner
      icon={AudioLines}
      title={t('editor.media.playsIsolated')}
      task={back}
      action={t('editor.media.useOriginal')}
      tone="neutral"
    />
  );
}

function TakeSoundAgain() {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const { detail } = useEditor();
  const change = useChangeDetail(detail.id);
  const take = useMutation({
    mutationFn: () => valueOrThrow(studio.request('transcripts.takeSoundAgain', { transcriptId: detail.id })),
    onSuccess: (media) => change({ ...media, mediaFailure: null }),
  });
  const dropFailure = useAttachFailure(detail.id);
  const failure = failureOf(take.error) ?? dropFailure;
  return (
    <MediaBanner icon={FileX2} title={t('editor.media.removedTitle')} task={take} action={t('editor.media.takeAgain')}>
      {failure === null ? t('editor.media.removedText') : words(failure).text}
    </MediaBanner>
  );
}

function useLocate() {
  const words = useFailureText();
  const attach = useAttachRecording(useEditor().detail.id);
  const failure = useAttachFailure(useEditor().detail.id);
  const locate = { isPending: attach.isPending, mutate: () => attach.mutate(null) };
  return { locate, refused: failure === null ? null : words(failure).text };
}

/** A smaller difference does not suggest another recording: the last caption often outlasts the sound. */
const missingMs = 2000;

function ShorterRecording() {
  const t = useText();
  const formats = useFormats();
  const { durationMs } = usePlayerState();
  const endMs = useDocument(({ transcript }) => transcript.segments.at(-1)?.endMs ?? 0);
  const { locate, refused } = useLocate();
  if (durationMs <= 0 || endMs <= durationMs + missingMs) return null;
  return (
    <MediaBanner
      icon={CircleAlert}
      title={t('editor.media.shorterTitle')}
      task={locate}
      action={t('editor.media.attachOther')}
    >
      {refused ?? t('editor.media.shorterText', { recording: formats.clock(durationMs), text: formats.clock(endMs) })}
    </MediaBanner>
  );
}

function FindRecording() {
  const t = useText();
  const { detail } = useEditor();
  // A text that was imported without a recording, or came from the account.
  const kind = detail.mediaFailure?.code === 'no_recording' ? 'without' : 'missing';
  const { locate, refused } = useLocate();
  return (
    <MediaBanner
      icon={FileX2}
      title={t(`editor.media.${kind}Title`)}
      task={locate}
      action={t(kind === 'without' ? 'editor.media.attach' : 'editor.media.find')}
    >
      {refused ?? t(`editor.media.${kind}Text`)}
    </MediaBanner>
  );
}

const attachKey = (transcriptId: string) => ['attach-recording', transcriptId] as const;

function useAttachRecording(transcriptId: string) {
  const studio = useStudio();
  const change = useChangeDetail(transcriptId);
  return useMutation({
    mutationKey: attachKey(transcriptId),
    gcTime: 0,
    mutationFn: async (file: File | null) => {
      const token = file === null ? null : await valueOrThrow(studio.fileTokenFor(file));
      return valueOrThrow(studio.request('transcripts.locateMedia', { transcriptId, token }));
    },
    onSuccess: ({ failure, ...media }) => {
      if (media.mediaUrl !== null) change({ ...media, mediaFailure: failure });
    },
  });
}

function useAttachFailure(transcriptId: string): Failure | null {
  const failures = useMutationState({
    filters: { mutationKey: attachKey(transcriptId) },
    select: ({ state }) => failureOf(state.error) ?? (state.data as { failure: Failure | null } | undefined)?.failure,
  });
  return failures.at(-1) ?? null;
}

/** A dropped recording is attached where there is none; anything else is taken as on other screens. */
export function DroppedFiles({ detail }: { readonly detail: TranscriptDetail | null }) {
  const t = useText();
  const showToast = useToast();
  const words = useFailureText();
  const attach = useAttachRecording(detail?.id ?? '');
  const takeRecordings = useTakeRecordings();
  const isWithout = detail !== null && detail.mediaUrl === null;
  const attachAnother = async () => {
    // The sound of a long video takes a while, and a second recording could be attached before it.
    if (attach.isPending) return;
    const failure = await attach.mutateAsync(null).then(({ failure: refused }) => refused, failureOf);
    if (failure !== null) showToast({ icon: CircleAlert, text: words(failure).text });
  };
  const isOffered = detail !== null && !isWithout && isTextName(detail.sourceName);
  useCommands({ 'transcript.attachRecording': isOffered && (() => void attachAnother()) });
  const over = useTextsAndRecordingsDrop((recordings, _on, cameAlone) => {
    const [first, second] = recordings;
    // Of several files nobody knows which one belongs to the transcript.
    const isMeant = isWithout && cameAlone && second === undefined && first !== undefined;
    if (isMeant && isRecordingName(first.name)) attach.mutate(first);
    else takeRecordings(recordings);
  });
  return <DropOverlay over={over} text={t(isWithout ? 'editor.media.dropToAttach' : 'editor.media.dropElsewhere')} />;
}

export function PracticeStrip() {
  const t = useText();
  const [, navigate] = useLocation();
  return (
    <div className={css['strip']}>
      <FlaskConical aria-hidden size={15} strokeWidth={1.75} />
      <p>{t('editor.text.practice')}</p>
      <Button size="sm" onPress={() => navigate('/settings/connection')}>
        {t('editor.text.practiceAddKey')}
      </Button>
    </div>
  );
}

/** What the check found, in groups. Fixing all of it that needs no other words is one step. */
export function CaptionStrip() {
  const t = useText();
  const formats = useFormats();
  const run = useRunCommand();
  const keyFor = useKeyFor();
  const isOn = useChecksCaptions();
  const found = useEditorState((state) => state.captionProblems);
  if (!isOn) return null;
  const groups = cueProblemKinds.flatMap((kind) => {
    const count = found.get(kind) ?? 0;
    return count === 0 ? [] : [`${t(`exports.problems.${kind}`)}: ${formats.number(count)}`];
  });
  return (
    <div className={css['strip']}>
      <Captions aria-hidden size={15} strokeWidth={1.75} />
      <output>{groups.length === 0 ? t('editor.captions.none') : groups.join(' · ')}</output>
      {groups.length > 0 && (
        <>
          <CommandButton id="captions.previousProblem" size="sm" icon={ArrowUp} />
          <CommandButton id="captions.nextProblem" size="sm" icon={ArrowDown} />
          <Button
            size="sm"
            icon={WandSparkles}
            shortcut={keyFor('captions.mendAll')}
            onPress={() => run('captions.mendAll')}
          >
            {t('editor.captions.mend')}
          </Button>
        </>
      )}
    </div>
  );
}

export function OnlySpeakerStrip() {
  const t = useText();
  const { store, speakers } = useEditor();
  const onlyId = useEditorState((state) => state.onlySpeakerId);
  const only = speakers.find(({ id }) => id === onlyId);
  if (only === undefined) return null;
  return (
    <div className={css['strip']}>
      <UserRound aria-hidden size={15} strokeWidth={1.75} />
      <output>{t('editor.transport.only', { name: only.name })}</output>
      <Button size="sm" onPress={() => store.playOnly(null)}>
        {t('editor.speaker.everyone')}
      </Button>
    </div>
  );
}

export function NamesStrip() {
  const t = useText();
  const { detail, document: text } = useEditor();
  const segments = useDocument(({ transcript }) => transcript.segments);
  const { namesLeftAsText } = useSettings();
  const change = useSettingsChange();
  const isDeclined = namesLeftAsText.includes(detail.id);
  const [chosen, choose] = useState<ReadonlySet<unknown> | null>(null);
  const isOpen = useDocument(({ transcript }) => transcript.speakers.length === 0) && isTextName(detail.sourceName);
  const names = useMemo(() => (isOpen && !isDeclined ? namesBefore(segments) : []), [isOpen, isDeclined, segments]);
  if (names.length === 0) return null;
  const taken = names
    .filter(({ name, isLikely }) => (chosen === null ? isLikely : chosen.has(name)))
    .map(({ name }) => name);
  return (
    <div className={cx(css['strip'], css['asking'])} data-asks-names>
      <UsersRound aria-hidden size={15} strokeWidth={1.75} />
      <div className={css['names']}>
        <p>{t('editor.speaker.inText')}</p>
        <ToggleButtonGroup
          className={css['nameChips'] ?? ''}
          aria-label={t('editor.speaker.namesInText')}
          data-scrolls-across
          selectionMode="multiple"
          selectedKeys={taken}
          onSelectionChange={choose}
        >
          {names.map(({ name }) => (
            <ToggleChip key={name} id={name}>
              {name}
            </ToggleChip>
          ))}
        </ToggleButtonGroup>
      </div>
      <div className={css['answers']}>
        <Button
          size="sm"
          isDisabled={taken.length === 0}
          onPress={() => {
            text.edit('speakers', (now) => takeNames(now, taken, () => `p-${crypto.randomUUID().slice(0, 13)}`));
            focusTextPane();
          }}
        >
          {t('editor.speaker.take')}
        </Button>
        <Button
          size="sm"
          onPress={() => {
            void change({ namesLeftAsText: [detail.id, ...namesLeftAsText].slice(0, mostLeftAsText) });
            focusTextPane();
          }}
        >
          {t('editor.speaker.leave')}
        </Button>
      </div>
    </div>
  );
}
