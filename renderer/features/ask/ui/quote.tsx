import { ExternalLink, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { createPlayer } from '../../../audio/player.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { CitedLine } from '../../../bridge/types.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import css from '../ask.module.css';
import { useSourceFacts } from './sources.tsx';

interface QuoteProps {
  readonly line: CitedLine;
  readonly passages: Passages;
  readonly onOpen: (line: CitedLine) => void;
}

/** The chosen citation: who said what, and the place to be heard. */
export function Quote({ line, passages, onOpen }: QuoteProps) {
  const t = useText();
  const words = useFailureText();
  const { titleOf, hasTimes } = useSourceFacts();
  const { line: said, transcriptId, startMs } = line;
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [line.segmentId]);
  const isTimed = hasTimes(transcriptId);
  const time = clock(startMs);
  const isPlaying = passages.playing === line.segmentId;
  const where = isTimed ? `${titleOf(transcriptId)}, ${time}` : titleOf(transcriptId);
  return (
    <figure ref={place} className={css['quote']} aria-label={t('ask.quote')}>
      <figcaption className="row gap-8 thin">
        {said?.speaker != null && <SpeakerMark number={said.speakerNumber ?? 1} name={said.speaker} />}
        <span className="cut">{where}</span>
      </figcaption>
      <blockquote className={css['words']}>{said?.text ?? t('ask.passageGone')}</blockquote>
      {passages.failure && (
        <p role="alert" className="small muted">
          {words(passages.failure).text}
        </p>
      )}
      <span className="row gap-8 thin">
        <IconButton
          icon={ExternalLink}
          label={t('ask.openAt', { time: isTimed ? time : where })}
          isDisabled={said === null}
          onPress={() => onOpen(line)}
        />
        {isTimed && (
          <IconButton
            variant="default"
            icon={isPlaying ? Pause : Play}
            label={t(isPlaying ? 'ask.pause' : 'ask.hear', { time })}
            isDisabled={said === null}
            onPress={() => (isPlaying ? passages.pause() : void passages.play(line))}
          />
        )}
      </span>
    </figure>
  );
}

export type Passages = ReturnType<typeof usePassages>;

/** One passage sounds at a time, and ends where it ends. */
export function usePassages() {
  const studio = useStudio();
  const { isDictation, hasTimes } = useSourceFacts();
  const [player] = useState(createPlayer);
  const { isPlaying } = useSyncExternalStore(player.subscribe, player.getState);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [segmentId, setSegmentId] = useState<string | null>(null);
  const opened = useRef<string | null>(null);
  const endMs = useRef(Infinity);
  const presses = useRef(0);
  useEffect(
    () => () => {
      // Also when another screen is shown, and this one comes back as it was.
      presses.current += 1;
      opened.current = null;
      player.close();
    },
    [player],
  );
  useEffect(
    () =>
      player.onTime((timeMs) => {
        if (timeMs < endMs.current) return;
        endMs.current = Infinity;
        player.pause();
      }),
    [player],
  );
  const play = async ({ transcriptId, segmentId: id, startMs, line }: CitedLine) => {
    if (!hasTimes(transcriptId)) return;
    presses.current += 1;
    const press = presses.current;
    if (opened.current !== transcriptId) {
      const kind = isDictation(transcriptId) ? 'dictation' : 'transcript';
      const answer = await studio.request('library.audio', { item: { kind, id: transcriptId } });
      if (press !== presses.current) return;
      const reason = answer.ok ? answer.value.failure : answer.error;
      setFailure(reason);
      if (!answer.ok || answer.value.mediaUrl === null) return;
      opened.current = transcriptId;
      player.open(answer.value.mediaUrl);
    }
    setSegmentId(id);
    endMs.current = Infinity;
    player.seek(line?.startMs ?? startMs);
    endMs.current = line?.endMs ?? Infinity;
    player.play();
  };
  return { play, pause: () => player.pause(), playing: isPlaying ? segmentId : null, failure };
}
