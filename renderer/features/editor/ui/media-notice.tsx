import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AudioLines, CircleAlert, FileX2, HardDrive, Languages, X, type LucideIcon } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { isTextName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { guessLanguage } from '../../../../shared/domain/imports/guess-language.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useDocument, useEditor, usePlayerState } from '../editor-context.ts';
import { transcriptQuery } from '../queries.ts';
import { useAttachFailure, useAttachRecording } from './dropped-files.tsx';
import { useSetLanguage } from './editor-header.tsx';
import css from './media-notice.module.css';

/** Says why edits are not on disk, where they are meanwhile, and what happens next. Renders nothing when they are. */
export function SavingNotice() {
  const t = useText();
  const words = useFailureWords();
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

/** Says that the words are in another language than the text is marked with, and changes that on request. */
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
            <IconButton
              size="sm"
              icon={X}
              label={t('common.close')}
              onPress={() => {
                setIsHidden(true);
              }}
            />
          </>
        }
      >
        {t('editor.language.decides', { language: t(`common.languageNames.${language}`) })}
      </Banner>
    </div>
  );
}

/** Enough of a text to tell its language. */
function beginningOf(segments: readonly { readonly text: string }[]): string {
  let text = '';
  for (const segment of segments) {
    text += `${segment.text} `;
    if (text.length > 1500) break;
  }
  return text;
}

/** Says why there is no audio, and what still works. Renders nothing when there is audio. */
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

/** A notice about the recording, and the one thing to do about it. */
function MediaBanner({
  icon,
  title,
  tone = 'warn',
  action,
  task,
  children = null,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly tone?: 'warn' | 'neutral';
  readonly action: string;
  readonly task: { readonly isPending: boolean; readonly mutate: () => void };
  readonly children?: ReactNode;
}) {
  return (
    <div className={cx(css['notice'], css['waiting'])}>
      <Banner
        tone={tone}
        icon={icon}
        title={title}
        actions={
          <Button
            size="sm"
            isLoading={task.isPending}
            onPress={() => {
              task.mutate();
            }}
          >
            {action}
          </Button>
        }
      >
        {children}
      </Banner>
    </div>
  );
}

/** The transcript remembers which audio it plays; one click switches back. */
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

/** The audio extracted from a video was removed to free space; the video is where it was. */
function TakeSoundAgain() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureWords();
  const { detail } = useEditor();
  const take = useMutation({
    mutationFn: () => valueOrThrow(studio.request('transcripts.takeSoundAgain', { transcriptId: detail.id })),
    onSuccess: ({ mediaUrl, mediaToken }) => {
      queries.setQueryData(
        transcriptQuery(studio, detail.id).queryKey,
        (known) => known && { ...known, mediaUrl, mediaToken, mediaFailure: null },
      );
    },
  });
  const dropFailure = useAttachFailure(detail.id);
  const failure = failureOf(take.error) ?? dropFailure;
  return (
    <MediaBanner icon={FileX2} title={t('editor.media.removedTitle')} task={take} action={t('editor.media.takeAgain')}>
      {failure === null ? t('editor.media.removedText') : words(failure).text}
    </MediaBanner>
  );
}

/** Lets the user choose the recording; `refused` says why the last one, chosen or dropped, was not taken. */
function useLocate() {
  const words = useFailureWords();
  const attach = useAttachRecording(useEditor().detail.id);
  const failure = useAttachFailure(useEditor().detail.id);
  const locate = {
    isPending: attach.isPending,
    mutate: () => {
      attach.mutate(null);
    },
  };
  return { locate, refused: failure === null ? null : words(failure).text };
}

/** A smaller difference does not suggest another recording: the last caption often outlasts the sound. */
const missingMs = 2000;

/** An imported text that goes on after the end of its recording: another one may belong to it. */
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
