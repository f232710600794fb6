import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ArrowLeft,
  Copy,
  Download,
  Ellipsis,
  EyeOff,
  FileText,
  History,
  Play,
  RotateCcw,
  Search,
  Square,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ShownTake } from '../../../bridge/types.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { usePlayerState, useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from './history-list.module.css';
import { Bars } from './speech-wave.tsx';
import { useVoices } from '../use-voices.ts';

const fewCount = 4;
const pageCount = 50;

/** What was generated, here and at the service. The short list shows the newest of this computer. */
export function HistoryList({ isWhole, onWhole }: { readonly isWhole: boolean; readonly onWhole: () => void }) {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const queries = useQueryClient();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageCount);
  const madeCount = useSpeakState(({ takes }) => takes.size);
  const key = ['speak', 'history', isWhole, isWhole ? search : '', isWhole ? limit : fewCount] as const;
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () =>
      valueOrThrow(
        studio.request('speak.history', {
          search: isWhole ? search : '',
          beforeMs: null,
          limit: isWhole ? limit : fewCount,
          withRemote: isWhole,
        }),
      ),
    placeholderData: (before) => before,
    retry: false,
    staleTime: 0,
  });
  const refresh = () => void queries.invalidateQueries({ queryKey: ['speak', 'history'] });
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['speak', 'history'] });
  }, [madeCount, queries]);
  const failure = failureOf(error) ?? data?.failure ?? null;
  const isEmpty = data !== undefined && data.takes.length === 0 && data.remote.length === 0;
  if (!isWhole && (data === undefined || isEmpty)) return null;
  return (
    <section className={isWhole ? css['whole'] : css['few']} aria-label={t('speak.history')}>
      <header className={css['head']}>
        <h2>{t('speak.history')}</h2>
        {isWhole ? (
          <Button size="sm" variant="ghost" icon={ArrowLeft} onPress={onWhole}>
            {t('speak.back')}
          </Button>
        ) : (
          <Button size="sm" variant="ghost" onPress={onWhole}>
            {t('speak.showAll')}
          </Button>
        )}
      </header>
      {isWhole && (
        <div className={css['search']}>
          <Field
            type="search"
            icon={Search}
            label={t('speak.searchHistory')}
            placeholder={t('speak.searchHistory')}
            value={search}
            onChange={setSearch}
          />
        </div>
      )}
      {isWhole && failure !== null && (
        <div className={css['search']}>
          <Banner icon={History} title={t('speak.historyFailed')}>
            {words(failure).text}
          </Banner>
        </div>
      )}
      {isEmpty && (
        <EmptyState icon={History} title={t(search === '' ? 'speak.historyEmpty' : 'speak.historyNone')}>
          {t(search === '' ? 'speak.historyEmptyText' : 'speak.historyNoneText')}
        </EmptyState>
      )}
      <ul className={css['list']}>
        {data?.takes.map((take) => (
          <Row key={take.id} {...take} take={take} remoteId={null} onChanged={refresh} />
        ))}
        {data?.remote.map((one) => (
          <Row
            key={one.id}
            {...one}
            voiceId={one.voiceId ?? ''}
            language={one.language ?? ''}
            speed={1}
            bars=""
            take={null}
            remoteId={one.id}
            onChanged={refresh}
          />
        ))}
      </ul>
      {isWhole && data?.hasMore === true && (
        <div className={css['search']}>
          <Button size="sm" onPress={() => setLimit(limit + pageCount)}>
            {t('speak.more')}
          </Button>
        </div>
      )}
    </section>
  );
}

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
  /** Of a generation that only the service keeps. */
  readonly remoteId: string | null;
  readonly onChanged: () => void;
}

function Row({
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
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const { store, side } = useSpeaking();
  const { data: voices } = useVoices();
  const now = useNow(false);
  const partId = `history:${id}`;
  const isHeard = usePlayerState(side, ({ heardId, status }) => status !== 'idle' && heardId === partId);
  const voice = voices?.voices.find((one) => one.id === voiceId)?.name ?? voiceId;
  const spoken = speechLanguages.find((one) => one === language) ?? null;
  const tell = (failure: Failure) => showToast({ text: `${t('speak.actionFailed')}. ${words(failure).text}` });

  const play = async () => {
    if (take !== null) {
      side.start([{ id: partId, url: take.mediaUrl, pauseMs: 0 }]);
      return;
    }
    const fetched = await studio.request('speak.download', { remoteId: remoteId ?? '' });
    if (!fetched.ok) {
      tell(fetched.error);
      return;
    }
    side.start([{ id: `history:${fetched.value.take.id}`, url: fetched.value.take.mediaUrl, pauseMs: 0 }]);
    onChanged();
  };
  const settingsOf = (of: SpeechLanguage) => ({ language: of, voiceId, speed });
  const hide = async () => {
    if (remoteId !== null) {
      const hidden = await studio.request('speak.hideRemote', { remoteId });
      if (!hidden.ok) return tell(hidden.error);
      showToast({ text: t('speak.hiddenRemote') });
      return onChanged();
    }
    const setHidden = async (isHidden: boolean) => {
      const answer = await studio.request('speak.hide', { takeIds: [id], isHidden });
      if (!answer.ok) tell(answer.error);
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
    if (!saved.ok) tell(saved.error);
    else if (saved.value.savedAs !== null) showToast({ text: t('speak.export.saved', { name: saved.value.savedAs }) });
  };
  return (
    <li className={css['row']}>
      <IconButton
        size="sm"
        icon={isHeard ? Square : Play}
        label={`${t(isHeard ? 'speak.stop' : 'speak.play')}: ${text}`}
        onPress={() => {
          if (isHeard) side.stop();
          else void play();
        }}
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
              void store.create().then(() => {
                if (spoken !== null) store.setDefaults(settingsOf(spoken));
                store.setText(text, { isTyping: false });
              });
            },
          },
          {
            id: 'copy',
            text: t('speak.blocks.copy'),
            icon: Copy,
            onAction: () => void navigator.clipboard.writeText(text),
          },
          { id: 'hide', text: t('speak.hide'), icon: EyeOff, onAction: () => void hide() },
        ]}
      />
    </li>
  );
}
