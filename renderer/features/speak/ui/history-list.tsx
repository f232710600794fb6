import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ArrowLeft,
  ChevronDown,
  ChevronRight,
  History,
  Copy,
  Download,
  FileText,
  Play,
  Square,
  Ellipsis,
  EyeOff,
  RotateCcw,
} from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ShownTake, SpokenText } from '../../../bridge/types.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useSpeakState, usePlayerState, useSpeaking } from '../speak-context.tsx';
import { useVoices } from '../use-voices.ts';
import css from './history-list.module.css';
import { PlayButton } from './play-button.tsx';
import { Bars } from './speech-wave.tsx';

const pageCount = 50;
/** Generated speech, here and at the service, by text. */
export function HistoryList({ onLeave }: { readonly onLeave: () => void }) {
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const queries = useQueryClient();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageCount);
  const madeCount = useSpeakState(({ takes }) => takes.size);
  const asked = { search, limit, withRemote: true };
  const { data, error } = useQuery({
    queryKey: ['speak', 'history', asked],
    queryFn: () => valueOrThrow(studio.request('speak.history', { ...asked, beforeMs: null })),
    placeholderData: (before) => before,
    retry: false,
    staleTime: 0,
  });
  const refresh = () => void queries.invalidateQueries({ queryKey: ['speak', 'history'] });
  // A take belongs to its text when the text is saved with it; before, it would stand among the previews.
  const isSaved = useSpeakState(({ saving, isGenerating }) => saving !== 'saving' && !isGenerating);
  const shownCount = useRef(-1);
  useEffect(() => {
    if (!isSaved || shownCount.current === madeCount) return;
    shownCount.current = madeCount;
    void queries.invalidateQueries({ queryKey: ['speak', 'history'] });
  }, [madeCount, isSaved, queries]);
  const failure = failureOf(error) ?? data?.failure ?? null;
  const isEmpty = data !== undefined && data.takes.length === 0 && data.remote.length === 0;
  const groups = useMemo(() => groupTakes(data?.takes ?? [], data?.texts ?? []), [data]);
  return (
    <section className="column pane scrolls" aria-label={t('speak.history')}>
      <header className={css['head']}>
        <h2 className="caption strong muted">{t('speak.history')}</h2>
        <Button size="sm" variant="ghost" icon={ArrowLeft} onPress={onLeave}>
          {t('speak.back')}
        </Button>
      </header>
      <div className={css['search']}>
        <SearchBox
          label={t('speak.searchHistory')}
          placeholder={t('speak.searchHistory')}
          value={search}
          onChange={setSearch}
        />
      </div>
      {failure !== null && (
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
      <ul>
        {groups.map((group) => (
          <HistoryGroup
            key={`${group.text?.id ?? ''} ${String(search !== '')}`}
            group={group}
            isOpenFirst={search !== ''}
            onOpened={onLeave}
            onChanged={refresh}
          />
        ))}
        {data?.remote.map((one) => (
          <HistoryRow
            key={one.id}
            one={{ ...one, voiceId: one.voiceId ?? '', language: one.language ?? '', speed: 1, bars: '' }}
            take={null}
            onChanged={refresh}
          />
        ))}
      </ul>
      {data?.hasMore === true && (
        <div className={css['search']}>
          <Button size="sm" onPress={() => setLimit(limit + pageCount)}>
            {t('speak.more')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface Group {
  readonly text: SpokenText | null;
  readonly takes: readonly ShownTake[];
  readonly newestMs: number;
}

function groupTakes(takes: readonly ShownTake[], texts: readonly SpokenText[]): readonly Group[] {
  const textOf = new Map(texts.toReversed().flatMap((text) => text.takeIds.map((id) => [id, text] as const)));
  const groups = new Map<string, { readonly text: SpokenText | null; readonly takes: ShownTake[] }>();
  for (const take of takes) {
    const text = textOf.get(take.id) ?? null;
    const group = groups.get(text?.id ?? '') ?? { text, takes: [] };
    group.takes.push(take);
    groups.set(text?.id ?? '', group);
  }
  return [...groups.values()].map(({ text, takes: own }) => {
    const order = new Map(text?.parts.map(({ takeId }, at) => [takeId, at] as const));
    const placeOf = ({ id }: ShownTake) => order.get(id) ?? order.size;
    return {
      text,
      takes: own.toSorted((one, other) => placeOf(one) - placeOf(other)),
      newestMs: own[0]?.createdAtMs ?? 0,
    };
  });
}

function HistoryGroup(props: {
  readonly group: Group;
  readonly isOpenFirst: boolean;
  readonly onOpened: () => void;
  readonly onChanged: () => void;
}) {
  const {
    group: { text, takes, newestMs },
    isOpenFirst,
    onOpened,
    onChanged,
  } = props;
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const saveTakes = useSaveTakes();
  const now = useNow(false);
  const { store, side } = useSpeaking();
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  const byId = new Map(takes.map((take) => [take.id, take]));
  const heard = (text?.parts ?? []).filter(({ takeId }) => byId.has(takeId));
  const prefix = `history:${text?.id ?? ''}:`;
  const isHeard = usePlayerState(
    side,
    ({ heardId, status }) => status !== 'idle' && heardId?.startsWith(prefix) === true,
  );
  const title = text === null ? t('speak.historyOf.other') : text.title || t('speak.untitled');
  const count = text === null ? takes.length : heard.length;
  const play = () => {
    const partOf = ({ takeId, tempo, pauseMs }: (typeof heard)[number]) => {
      return { id: `${prefix}${takeId}`, tempo, url: byId.get(takeId)?.mediaUrl ?? null, pauseMs };
    };
    side.start(heard.map(partOf));
  };
  const lengthMs = heard.reduce(
    (sum, { takeId, tempo, pauseMs }, at) =>
      sum + (byId.get(takeId)?.durationMs ?? 0) / tempo + (at === heard.length - 1 ? 0 : pauseMs),
    0,
  );
  const details = [
    t('speak.historyOf.sentences', { count }),
    ...(lengthMs === 0 ? [] : [formats.duration(lengthMs)]),
    formats.moment(newestMs, now),
  ].join(' · ');
  return (
    <li>
      <div className={css['row']}>
        {text !== null && (
          <IconButton
            size="sm"
            icon={isHeard ? Square : Play}
            isDisabled={heard.length === 0}
            label={`${t(isHeard ? 'speak.stop' : 'speak.play')}: ${title}`}
            onPress={isHeard ? () => side.stop() : play}
          />
        )}
        <PressButton className={css['disclose']} isExpanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? <ChevronDown aria-hidden size={14} /> : <ChevronRight aria-hidden size={14} />}
          <span className={css['title']}>{title}</span>
          <span className={css['details']}>{details}</span>
        </PressButton>
        {text !== null && (
          <>
            <IconButton
              size="sm"
              icon={Download}
              isDisabled={heard.length === 0}
              label={`${t('speak.export.save')} ${title}`}
              onPress={() => void saveTakes(title, heard)}
            />
            <IconButton
              size="sm"
              icon={Copy}
              isDisabled={heard.length === 0}
              label={`${t('speak.historyOf.copyAll')}: ${title}`}
              onPress={() => void copy(heard.map((part) => part.text).join('\n'))}
            />
            <IconButton
              size="sm"
              icon={FileText}
              label={`${t('speak.historyOf.open')}: ${title}`}
              onPress={() => void store.open(text.id).then(onOpened)}
            />
          </>
        )}
      </div>
      {isOpen && (
        <ul className={css['inner']} aria-label={t('speak.historyOf.inText', { title })}>
          {takes.map((take) => (
            <HistoryRow key={take.id} one={take} take={take} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </li>
  );
}

function HistoryRow(props: {
  readonly one: Pick<ShownTake, 'id' | 'text' | 'voiceId' | 'speed' | 'durationMs' | 'bars'> & {
    readonly language: string;
    readonly createdAtMs: number | null;
  };
  /** Null for a generation that exists only at the service. */
  readonly take: ShownTake | null;
  readonly onChanged: () => void;
}) {
  const {
    one: { id, text, voiceId, language, speed, durationMs, createdAtMs, bars },
    take,
    onChanged,
  } = props;
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const studio = useStudio();
  const showToast = useToast();
  const showFailure = useShowFailure();
  const saveTakes = useSaveTakes();
  const { store, side } = useSpeaking();
  const { data: voices } = useVoices();
  const now = useNow(false);
  const [isAwaited, setIsAwaited] = useState(false);
  /** `isRunning`: the download, also after the user stopped it; `isAwaited`: its audio is played when it is there. */
  const download = useRef({ isRunning: false, isAwaited: false });
  const voice = voices?.voices.find((known) => known.id === voiceId)?.name ?? voiceId;
  const spoken = speechLanguages.find((known) => known === language);
  const settings = spoken && { language: spoken, voiceId, speed };
  const playTake = (takeId: string, url: string | null) => side.start([{ id: `history:${takeId}`, url, pauseMs: 0 }]);
  const awaitDownload = (isNow: boolean) => {
    download.current.isAwaited = isNow;
    setIsAwaited(isNow);
  };
  const fetchAndPlay = async () => {
    awaitDownload(true);
    if (download.current.isRunning) return;
    download.current.isRunning = true;
    const fetched = await studio.request('speak.download', { remoteId: id });
    download.current.isRunning = false;
    const isPlayed = download.current.isAwaited;
    awaitDownload(false);
    if (fetched.ok) {
      if (isPlayed) playTake(fetched.value.take.id, fetched.value.take.mediaUrl);
      onChanged();
    } else if (isPlayed) showFailure(fetched.error);
  };
  const hideRemote = async () => {
    const hidden = await studio.request('speak.hideRemote', { remoteId: id });
    if (!hidden.ok) return showFailure(hidden.error);
    showToast({ text: t('speak.hiddenRemote') });
    onChanged();
  };
  const putBack = { text: t('speak.putBack'), onPress: () => void setHidden(false) };
  const setHidden = async (isHidden: boolean) => {
    const answer = await studio.request('speak.hide', { takeIds: [id], isHidden });
    onChanged();
    if (!answer.ok) showFailure(answer.error);
    else if (isHidden) showToast({ text: t('speak.hidden'), action: putBack });
  };
  const hide = () => void (take === null ? hideRemote() : setHidden(true));
  const again = settings && {
    id: 'again',
    text: t('speak.useAgain'),
    icon: RotateCcw,
    onAction: () => store.setDefaults(settings),
  };
  const openText = async () => {
    if (!(await store.create())) return;
    if (settings !== undefined) store.setDefaults(settings);
    store.setText(text, { isTyping: false });
  };
  const details = [
    voice,
    ...(durationMs === null ? [] : [formats.duration(durationMs)]),
    ...(createdAtMs === null ? [] : [formats.moment(createdAtMs, now)]),
    ...(take === null ? [t('speak.atService')] : []),
  ].join(' · ');
  return (
    <li className={css['row']}>
      <PlayButton
        size="sm"
        partId={`history:${id}`}
        name={text}
        label={`${t('speak.play')}: ${text}`}
        stopLabel={`${t('speak.stop')}: ${text}`}
        onStopFetching={isAwaited ? () => awaitDownload(false) : null}
        onPlay={() => (take === null ? void fetchAndPlay() : playTake(id, take.mediaUrl))}
      />
      <span className={css['title']} lang={spoken}>
        {text}
      </span>
      <Bars className={css['bars']} playedShare={0} parts={[{ state: 'ready', lengthMs: durationMs ?? 1000, bars }]} />
      <span className={css['details']}>{details}</span>
      {take !== null && (
        <IconButton
          size="sm"
          icon={Download}
          label={`${t('speak.export.save')} ${text}`}
          onPress={() => void saveTakes(text.slice(0, 60), [{ takeId: id, tempo: 1, pauseMs: 0, text }])}
        />
      )}
      <Menu
        label={t('speak.more')}
        trigger={<IconButton size="sm" icon={Ellipsis} label={`${t('speak.more')}: ${text}`} />}
        entries={() => [
          ...(again === undefined ? [] : [again]),
          { id: 'open', text: t('speak.useText'), icon: FileText, onAction: () => void openText() },
          { id: 'copy', text: t('speak.blocks.copy'), icon: Copy, onAction: () => void copy(text) },
          { id: 'hide', text: t('speak.hide'), icon: EyeOff, onAction: hide },
        ]}
      />
    </li>
  );
}

function useShowFailure(): (failure: Failure) => void {
  const t = useText();
  const words = useFailureText();
  const showToast = useToast();
  return (failure) => showToast({ text: `${t('speak.actionFailed')}. ${words(failure).text}` });
}

function useSaveTakes() {
  const t = useText();
  const studio = useStudio();
  const showToast = useToast();
  const showFailure = useShowFailure();
  return async (title: string, parts: SpokenText['parts']) => {
    const whole = { format: 'wav', as: 'one', withSubtitles: false, targetLufs: null } as const;
    const saved = await studio.request('speak.saveAudio', { title, parts, ...whole });
    if (!saved.ok) showFailure(saved.error);
    else if (saved.value.savedAs !== null) showToast({ text: t('speak.export.saved', { name: saved.value.savedAs }) });
  };
}
