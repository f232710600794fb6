import { ExternalLink, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { createPlayer } from '../../../audio/player.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Inspector } from '../../../ui/panel.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import type { CitedLine } from '../../../bridge/types.ts';
import { useTitleOf } from '../ask-hooks.ts';
import css from './cited.module.css';

export interface Wanted {
  readonly transcriptId: string;
  readonly segmentId: string;
  /** Another press of the same citation plays it again. */
  readonly press: number;
}

interface CitedProps {
  readonly cited: readonly CitedLine[];
  readonly wanted: Wanted | null;
  readonly onWanted: (line: CitedLine) => void;
  readonly onOpen: (line: CitedLine) => void;
}

export function Cited({ cited, wanted, onWanted, onOpen }: CitedProps) {
  const t = useText();
  const words = useFailureText();
  const { play, pause, playing, failure } = usePassages();
  const titleOf = useTitleOf();
  const isAboutMany = new Set(cited.map(({ transcriptId }) => transcriptId)).size > 1;
  const list = useRef<HTMLUListElement>(null);
  const chosen = cited.find(
    ({ transcriptId, segmentId }) => transcriptId === wanted?.transcriptId && segmentId === wanted.segmentId,
  );
  const pressed = useRef<number | null>(null);
  useEffect(() => {
    if (wanted === null || chosen === undefined || pressed.current === wanted.press) return;
    pressed.current = wanted.press;
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    void play(chosen);
  }, [wanted, chosen, play]);
  return (
    <Inspector label={t('ask.cited')}>
      <h2 className={css['head']}>
        <span>{t('ask.cited')}</span>
        <span className={css['count']}>{cited.length}</span>
      </h2>
      {failure && (
        <p role="alert" className={css['note']}>
          {words(failure).text}
        </p>
      )}
      {cited.length === 0 && <p className={css['note']}>{t('ask.noneCited')}</p>}
      <ul ref={list}>
        {cited.map((one) => {
          const isPlaying = playing === one.segmentId;
          const time = clock(one.startMs);
          return (
            <li
              key={`${one.transcriptId}/${one.segmentId}`}
              className={cx(css['passage'], one === chosen && css['isOn'])}
              {...(one === chosen ? { 'aria-current': 'true' as const } : {})}
            >
              <div className={css['who']}>
                <span className={css['speaker']}>
                  {one.line?.speaker != null && (
                    <SpeakerMark number={one.line.speakerNumber ?? 1} name={one.line.speaker} />
                  )}
                </span>
                <span className={css['time']}>{time}</span>
                <IconButton
                  size="sm"
                  icon={isPlaying ? Pause : Play}
                  label={t(isPlaying ? 'ask.pause' : 'ask.hear', { time })}
                  isDisabled={one.line === null}
                  onPress={() => {
                    if (isPlaying) pause();
                    else onWanted(one);
                  }}
                />
                <IconButton
                  size="sm"
                  icon={ExternalLink}
                  label={t('ask.openAt', { time })}
                  isDisabled={one.line === null}
                  onPress={() => onOpen(one)}
                />
              </div>
              {isAboutMany && <p className={css['source']}>{titleOf(one.transcriptId)}</p>}
              <p className={css['words']}>{one.line?.text ?? t('ask.passageGone')}</p>
            </li>
          );
        })}
      </ul>
    </Inspector>
  );
}

function usePassages() {
  const studio = useStudio();
  const [player] = useState(createPlayer);
  const { isPlaying } = useSyncExternalStore(player.subscribe, player.getState);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [segmentId, setSegmentId] = useState<string | null>(null);
  const opened = useRef<string | null>(null);
  const endMs = useRef(Infinity);
  useEffect(() => () => player.close(), [player]);
  useEffect(
    () =>
      player.onTime((timeMs) => {
        if (timeMs < endMs.current) return;
        endMs.current = Infinity;
        player.pause();
      }),
    [player],
  );
  const [play] = useState(() => async ({ transcriptId, segmentId: id, startMs, line }: CitedLine) => {
    if (opened.current !== transcriptId) {
      const answer = await studio.request('library.audio', { item: { kind: 'transcript', id: transcriptId } });
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
  });
  return { play, pause: () => player.pause(), playing: isPlaying ? segmentId : null, failure };
}
