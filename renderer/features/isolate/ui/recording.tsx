import { useQueryClient } from '@tanstack/react-query';
import { AudioLines, Replace, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useUndoKey } from '../../../lib/use-undo-key.ts';
import { Button } from '../../../ui/button.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import { InspectorSection } from '../../../ui/panel.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate, useIsolateOptions } from '../isolate-context.ts';
import css from './results.module.css';
import { useCostWords } from './use-cost-words.ts';

interface Props {
  readonly audio: IsolatedAudio;
  readonly onChanged: () => void;
}

/**
 * Other actions for the same recording: its transcripts, and isolating it with the other choice about restoring speech.
 */
export function Recording({ audio, onChanged }: Props) {
  const t = useText();
  const { transcripts } = audio;
  return (
    <>
      <InspectorSection title={t('isolate.inTranscript.title')}>
        <p className={css['hint']}>
          {t(transcripts.length > 0 ? 'isolate.inTranscript.text' : 'isolate.inTranscript.none')}
        </p>
        {transcripts.length > 0 && (
          <ul className={css['formats']}>
            {transcripts.map((transcript) => (
              <InTranscript
                key={transcript.transcriptId}
                audioId={audio.audioId}
                transcript={transcript}
                onChanged={onChanged}
              />
            ))}
          </ul>
        )}
      </InspectorSection>
      {audio.variant === null && <AddVariant audio={audio} />}
    </>
  );
}

function InTranscript({
  audioId,
  transcript: { transcriptId, title, usesThis },
  onChanged,
}: {
  readonly audioId: string;
  readonly transcript: IsolatedAudio['transcripts'][number];
  readonly onChanged: () => void;
}) {
  const t = useText();
  const store = useIsolate();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isChanging, setIsChanging] = useState(false);
  /** What Ctrl+Z undoes: the last change here, with the notice that says so. */
  const [last, setLast] = useState<{ readonly formerId: string | null; readonly hideNotice: () => void } | null>(null);
  /** Null puts the recording back. What was played before may be other isolated audio. */
  const change = async (wantedId: string | null, isUndo = false) => {
    setLast(null);
    setIsChanging(true);
    const done =
      wantedId === null ? await store.useOriginal(transcriptId) : await store.useAsRecording(wantedId, transcriptId);
    setIsChanging(false);
    if (done === null) return;
    await queries.invalidateQueries({ queryKey: ['transcript', transcriptId] });
    onChanged();
    const notice = {
      icon: AudioLines,
      text: t(wantedId === null ? 'isolate.inTranscript.undone' : 'isolate.inTranscript.used', { title }),
    };
    if (isUndo) {
      const onPress = () => {
        navigate(`/transcripts/${encodeURIComponent(transcriptId)}`);
      };
      showToast({ ...notice, action: { text: t('isolate.inTranscript.open'), onPress } });
      return;
    }
    const formerId = 'formerAudioId' in done ? done.formerAudioId : audioId;
    setLast({ formerId, hideNotice: showUndo({ ...notice, undo: () => void change(formerId, true) }) });
  };
  useUndoKey(
    last &&
      (() => {
        last.hideNotice();
        void change(last.formerId, true);
      }),
  );
  return (
    <li className={css['transcript']}>
      <span className={css['name']} title={title}>
        {title}
      </span>
      {usesThis ? (
        <Button
          size="sm"
          variant="ghost"
          icon={Undo2}
          isLoading={isChanging}
          label={t('isolate.inTranscript.backFor', { title })}
          onPress={() => void change(null)}
        >
          {t('isolate.inTranscript.back')}
        </Button>
      ) : (
        <Button
          size="sm"
          icon={Replace}
          isLoading={isChanging}
          label={t('isolate.inTranscript.useFor', { title })}
          onPress={() => void change(audioId)}
        >
          {t('isolate.inTranscript.use')}
        </Button>
      )}
    </li>
  );
}

function AddVariant({ audio }: { readonly audio: IsolatedAudio }) {
  const t = useText();
  const store = useIsolate();
  const options = useIsolateOptions();
  const formats = useFormats();
  const costWords = useCostWords();
  const showToast = useToast();
  /** What was sent already: a second press must not pay for it again. */
  const [sentFor, setSentFor] = useState<string | null>(null);
  const add = async () => {
    setSentFor(audio.audioId);
    const added = await store.addVariant(audio.audioId, options);
    if (added?.jobId != null) showToast({ text: t('isolate.variant.added') });
    else setSentFor(null);
  };
  return (
    <InspectorSection title={t('isolate.variant.title')}>
      <p className={css['hint']}>
        {t(audio.restoresSpeech ? 'isolate.variant.without' : 'isolate.variant.with')}{' '}
        {audio.durationMs !== null &&
          `${formats.clock(audio.durationMs)} · ${costWords([{ durationMs: audio.durationMs, sizeBytes: 0 }])}`}
      </p>
      <div className={css['more']}>
        <Button isLoading={sentFor === audio.audioId} onPress={() => void add()}>
          {t(audio.restoresSpeech ? 'isolate.variant.addWithout' : 'isolate.variant.addWith')}
        </Button>
      </div>
    </InspectorSection>
  );
}
