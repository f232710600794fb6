import { Copy, Download, Ellipsis, EyeOff, FileText, RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ShownTake } from '../../../bridge/types.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { useSpeaking } from '../speak-context.tsx';
import { useVoices } from '../use-voices.ts';
import css from './history-list.module.css';
import { PlayButton } from './play-button.tsx';
import { Bars } from './speech-wave.tsx';

interface RowProps {
  readonly id: string;
  readonly text: string;
  readonly voiceId: string;
  readonly language: string;
  readonly speed: number;
  readonly durationMs: number | null;
  readonly createdAtMs: number | null;
  readonly bars: string;
  readonly take: ShownTake | null;
  /** Of a generation that exists only at the service. */
  readonly remoteId: string | null;
  readonly onChanged: () => void;
}

/** One generation: play, save, copy, reuse its settings or text, and hide. */
export function HistoryRow({
  id,
  text,
  voiceId,
  language,
  speed,
  durationMs,
  createdAtMs,
  bars,
  take,
  remoteId,
  onChanged,
}: RowProps) {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const { store, side } = useSpeaking();
  const { data: voices } = useVoices();
  const now = useNow(false);
  const partId = `history:${id}`;
  const [isAwaited, setIsAwaited] = useState(false);
  /** `isRunning`: the download, also after the user stopped it; `isAwaited`: its audio is played when it is there. */
  const download = useRef({ isRunning: false, isAwaited: false });
  const voice = voices?.voices.find((one) => one.id === voiceId)?.name ?? voiceId;
  const spoken = speechLanguages.find((one) => one === language) ?? null;
  const showFailure = (failure: Failure) => showToast({ text: `${t('speak.actionFailed')}. ${words(failure).text}` });

  const awaitDownload = (isNow: boolean) => {
    download.current.isAwaited = isNow;
    setIsAwaited(isNow);
  };
  const play = async () => {
    if (take !== null) {
      side.start([{ id: partId, url: take.mediaUrl, pauseMs: 0 }]);
      return;
    }
    awaitDownload(true);
    if (download.current.isRunning) return;
    download.current.isRunning = true;
    const fetched = await studio.request('speak.download', { remoteId: remoteId ?? '' });
    download.current.isRunning = false;
    const isPlayed = download.current.isAwaited;
    awaitDownload(false);
    if (!fetched.ok) {
      if (isPlayed) showFailure(fetched.error);
      return;
    }
    const { id: takeId, mediaUrl } = fetched.value.take;
    if (isPlayed) side.start([{ id: `history:${takeId}`, url: mediaUrl, pauseMs: 0 }]);
    onChanged();
  };
  const settingsOf = (of: SpeechLanguage) => ({ language: of, voiceId, speed });
  const hide = async () => {
    if (remoteId !== null) {
      const hidden = await studio.request('speak.hideRemote', { remoteId });
      if (!hidden.ok) return showFailure(hidden.error);
      showToast({ text: t('speak.hiddenRemote') });
      return onChanged();
    }
    const setHidden = async (isHidden: boolean) => {
      const answer = await studio.request('speak.hide', { takeIds: [id], isHidden });
      if (!answer.ok) showFailure(answer.error);
      onChanged();
      return answer.ok;
    };
    if (!(await setHidden(true))) return undefined;
    return showToast({
      text: t('speak.hidden'),
      action: { text: t('speak.putBack'), onPress: () => void setHidden(false) },
    });
  };
  const details = [
    voice,
    ...(durationMs === null ? [] : [formats.duration(durationMs)]),
    ...(createdAtMs === null ? [] : [formats.moment(createdAtMs, now)]),
    ...(remoteId === null ? [] : [t('speak.atService')]),
  ].join(' · ');
  const saveAudio = async () => {
    const saved = await studio.request('speak.saveAudio', {
      title: text.slice(0, 60),
      parts: [{ takeId: id, pauseMs: 0, text }],
      format: 'wav',
      as: 'one',
      withSubtitles: false,
      targetLufs: null,
    });
    if (!saved.ok) showFailure(saved.error);
    else if (saved.value.savedAs !== null) showToast({ text: t('speak.export.saved', { name: saved.value.savedAs }) });
  };
  return (
    <li className={css['row']}>
      <PlayButton
        size="sm"
        partId={partId}
        name={text}
        label={`${t('speak.play')}: ${text}`}
        stopLabel={`${t('speak.stop')}: ${text}`}
        onStopFetching={isAwaited ? () => awaitDownload(false) : null}
        onPlay={() => void play()}
      />
      <span className={css['text']} lang={spoken ?? undefined}>
        {text}
      </span>
      <Bars className={css['bars']} playedShare={0} parts={[{ state: 'ready', lengthMs: durationMs ?? 1000, bars }]} />
      <span className={css['details']}>{details}</span>
      {take !== null && (
        <IconButton
          size="sm"
          icon={Download}
          label={`${t('speak.export.save')} ${text}`}
          onPress={() => void saveAudio()}
        />
      )}
      <Menu
        label={t('speak.more')}
        trigger={<IconButton size="sm" icon={Ellipsis} label={`${t('speak.more')}: ${text}`} />}
        entries={() => [
          ...(spoken === null
            ? []
            : [
                {
                  id: 'again',
                  text: t('speak.useAgain'),
                  icon: RotateCcw,
                  onAction: () => store.setDefaults(settingsOf(spoken)),
                },
              ]),
          {
            id: 'open',
            text: t('speak.useText'),
            icon: FileText,
            onAction: () => {
              void store.create().then((isNew) => {
                if (!isNew) return;
                if (spoken !== null) store.setDefaults(settingsOf(spoken));
                store.setText(text, { isTyping: false });
              });
            },
          },
          {
            id: 'copy',
            text: t('speak.blocks.copy'),
            icon: Copy,
            onAction: () => void copy(text),
          },
          { id: 'hide', text: t('speak.hide'), icon: EyeOff, onAction: () => void hide() },
        ]}
      />
    </li>
  );
}
