import { FileAudio, Pause, Play, RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { createPlayer } from '../../../audio/player.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { Range } from '../../../ui/range.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import type { Failure } from '../../../../shared/result/failure.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useLibraryContext } from '../library-context.ts';
import type { ListedItem } from '../model/library-view.ts';
import { useFirstWords } from '../queries.ts';
import { useItemCost } from './library-list.tsx';
import css from './preview.module.css';

/** Length of the excerpt; slightly longer rather than cut just before its end. */
const lettersShown = 220;
const lettersOver = 40;

function firstLines(texts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let room = lettersShown;
  for (const text of texts) {
    if (room <= 0) break;
    const end = text.length <= room + lettersOver ? text.length : text.lastIndexOf(' ', room);
    lines.push(end === text.length ? text : `${text.slice(0, end > 0 ? end : room)}…`);
    room -= text.length;
  }
  return lines;
}

export function Preview({ item, atMs }: { readonly item: ListedItem; readonly atMs: number }) {
  const t = useText();
  const formats = useFormats();
  const { mode } = useConnection();
  const { folders, tags, open, restore, ask } = useLibraryContext();
  const cost = useItemCost()(item);
  const itemTags = tags.filter(({ id }) => item.tagIds.includes(id));
  const { sizeBytes, isAtService, characters } = item;
  const facts = [
    [t('library.facts.here'), sizeBytes === null ? '' : formats.bytes(sizeBytes)],
    // Practice mode has no service that stores anything.
    [
      t('library.facts.atService'),
      isAtService === null || modeOf(mode).isOnThisComputer
        ? ''
        : t(isAtService ? 'library.facts.yes' : 'library.facts.no'),
    ],
    [t('library.facts.characters'), characters === null ? '' : t('library.characters', { count: characters })],
    [t('library.states'), item.states.map((state) => t(`library.state.${state}`)).join(', ')],
    [t('library.facts.cost'), cost],
    [t('library.facts.folder'), folders.find(({ id }) => id === item.folderId)?.name ?? t('library.noFolder')],
    [t('library.tags'), formats.list(itemTags.map(({ name }) => name))],
    [t('library.facts.file'), item.sourceName],
  ].filter(([, value]) => value !== '');
  const when = [formats.date(item.createdAtMs), formats.time(item.createdAtMs)];
  if (item.durationMs !== null) when.push(formats.clock(item.durationMs));
  return (
    <Inspector label={t('library.preview')}>
      <section className={css['head']}>
        <h2>{item.title}</h2>
        <p className="small subtle">{when.join(', ')}</p>
        <Audio item={item} atMs={atMs} />
        {item.trashedAtMs === null ? (
          <Button onPress={() => open(item, atMs === 0 ? undefined : atMs)}>{t('library.open')}</Button>
        ) : (
          <>
            <Button icon={RotateCcw} onPress={() => restore([item])}>
              {t('library.restore')}
            </Button>
            <Button variant="ghost" icon={Trash2} onPress={() => ask({ tag: 'erase', items: [item] })}>
              {t('library.eraseMenu')}
            </Button>
          </>
        )}
      </section>
      <Words item={item} atMs={atMs} />
      {item.speakers.length > 0 && (
        <InspectorSection title={t('library.speakers')}>
          <div className="column gap-8 thin">
            {item.speakers.map((name, at) => (
              <SpeakerMark
                key={String(at) + (name ?? '')}
                number={at + 1}
                name={name ?? t('common.speaker', { number: at + 1 })}
              />
            ))}
          </div>
        </InspectorSection>
      )}
      <InspectorSection title={t('library.facts.title')}>
        <dl className={css['facts']}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt className="rigid muted">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </InspectorSection>
    </Inspector>
  );
}

function Words({ item, atMs }: { readonly item: ListedItem; readonly atMs: number }) {
  const t = useText();
  const { data: moments = [] } = useFirstWords(item, atMs);
  if (moments.length === 0) return null;
  return (
    <InspectorSection title={t('library.facts.text')}>
      <p className={css['words']} lang={item.language ?? undefined}>
        {firstLines(moments.map(({ text }) => text)).map((line, at) => (
          <span key={`${String(at)} ${line}`}>{line} </span>
        ))}
      </p>
    </InspectorSection>
  );
}

function Audio({ item, atMs }: { readonly item: ListedItem; readonly atMs: number }) {
  const t = useText();
  const { attach } = useLibraryContext();
  const { kind, states } = item;
  const silent = states.find((state) => state === 'no-recording' || state === 'no-audio');
  // A text that has no spoken version yet.
  if (kind === 'conversation' || (kind === 'speech' && item.sizeBytes === 0)) return null;
  if (silent === undefined) return <Hearing key={item.id} item={item} atMs={atMs} />;
  return (
    <div className={css['silent']}>
      <p>{t(`library.silent.${kind === 'transcript' ? silent : 'not-kept'}`)}</p>
      {kind === 'transcript' && item.trashedAtMs === null && (
        <Button size="sm" icon={FileAudio} onPress={() => attach(item)}>
          {t(silent === 'no-recording' ? 'library.attach' : 'library.media.findMenu')}
        </Button>
      )}
    </div>
  );
}

function Hearing({ item, atMs }: { readonly item: ListedItem; readonly atMs: number }) {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const [player] = useState(createPlayer);
  const state = useSyncExternalStore(player.subscribe, player.getState);
  const [timeMs, setTimeMs] = useState(atMs);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isOpened = useRef(false);
  useEffect(() => player.onTime(setTimeMs), [player]);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      isOpened.current = false;
      player.close();
    };
  }, [player]);
  const shownFrom = useRef(atMs);
  useEffect(() => {
    if (shownFrom.current === atMs) return;
    shownFrom.current = atMs;
    setTimeMs(atMs);
    if (isOpened.current) player.seek(atMs);
  }, [player, atMs]);
  const toggle = async () => {
    if (isOpened.current) {
      player.toggle();
      return;
    }
    const answer = await studio.request('library.audio', { item: { kind: item.kind, id: item.id } });
    // Nothing could stop it once its row was left.
    if (isLeft.current) return;
    const reason = answer.ok ? answer.value.failure : answer.error;
    setFailure(reason);
    if (!answer.ok || answer.value.mediaUrl === null) return;
    isOpened.current = true;
    player.open(answer.value.mediaUrl);
    player.seek(timeMs);
    player.play();
  };
  const durationMs = Math.max(1, item.durationMs ?? state.durationMs);
  return (
    <div className={css['hearing']}>
      <IconButton
        variant="default"
        icon={state.isPlaying ? Pause : Play}
        label={t(state.isPlaying ? 'library.pause' : 'library.play', { at: clock(timeMs) })}
        onPress={() => void toggle()}
      />
      <Range
        label={t('library.position')}
        value={Math.min(timeMs, durationMs)}
        min={0}
        max={durationMs}
        step={1000}
        valueText={clock(timeMs)}
        onChange={(value) => {
          setTimeMs(value);
          if (isOpened.current) player.seek(value);
        }}
      />
      <span className={css['time']}>{clock(timeMs)}</span>
      {failure && (
        <p role="alert" className={css['failure']}>
          {words(failure).text}
        </p>
      )}
    </div>
  );
}
