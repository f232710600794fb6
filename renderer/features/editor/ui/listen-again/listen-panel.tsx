import { Ear, X, Check, Play } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, type RefObject, useState, type KeyboardEvent, useMemo } from 'react';
import { isRedacted, type TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { clock } from '../../../../../shared/domain/time/time-code.ts';
import { expectedCredits } from '../../../../../shared/domain/ledger/expected-cost.ts';
import { useIsQuestionOpen, useListenRate } from '../../../../bridge/use-credits.ts';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useAboutCredits, useCreditsWords, useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useEditor, useDocument } from '../../editor-context.ts';
import { caretOffset, hostOfCaret, placeCaret } from '../caret.ts';
import changed from '../changed-words.module.css';
import inspector from '../inspector.module.css';
import css from './listen-panel.module.css';
import { type HeardChange, acceptListed, compareHeard } from '../../../../../shared/domain/transcript/heard-again.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { heardInScript } from '../../../../../shared/domain/transcript/in-script.ts';
import { readSpan } from '../../../../audio/read-span.ts';
import { failureOf, valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';

export function ListenPanel({ span }: { readonly span: TimeSpan }) {
  const t = useText();
  const formats = useFormats();
  const creditsWords = useCreditsWords();
  const { store, detail } = useEditor();
  const listening = useListenAgain(span);
  const { phase, changes, acceptedCount, isKept, credits } = listening;
  const close = () => store.listenTo(null);
  const panel = useRef<HTMLElement>(null);
  useFocusInside(panel, `${phase} ${changes.length === 0 ? 'done' : 'open'}`);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className={inspector['inspector']}
      aria-label={t('listen.title')}
      data-pane="inspector"
      data-notice-corner
    >
      <div className={css['head']}>
        <h2 className="text-sm strong">{t('listen.title')}</h2>
        <IconButton icon={X} size="sm" label={t('listen.close')} onPress={close} />
      </div>
      <div className={css['line']}>
        <span>
          {t('listen.span', {
            from: clock(span.startMs),
            to: clock(span.endMs),
            seconds: formats.number((span.endMs - span.startMs) / 1000),
          })}
        </span>
        {isKept && <span>{t('listen.free')}</span>}
        {phase === 'heard' && !isKept && !detail.isPractice && (
          <span>
            {credits === null ? t('listen.notReported') : t('listen.charged', { amount: creditsWords(credits) })}
          </span>
        )}
        {detail.isPractice && <span>{t('listen.practice')}</span>}
      </div>
      {phase === 'heard' ? (
        <HeardChanges listening={listening} onClose={close} />
      ) : (
        <Before listening={listening} lengthMs={span.endMs - span.startMs} />
      )}
      {phase === 'heard' && (
        <>
          {changes.length > 0 && (
            <div className={css['buttons']} data-main>
              <Button onPress={close}>{t('listen.keepOld')}</Button>
              <Button
                // Practice mode hears no words, so that accepting would rather lose some.
                variant={detail.isPractice ? 'default' : 'primary'}
                onPress={() => listening.accept(changes)}
              >
                {t('listen.acceptAll')}
              </Button>
            </div>
          )}
          <div className={css['hints']}>
            {changes.length > 1 && <p>{t('listen.keys')}</p>}
            <p>
              {acceptedCount > 0 && `${t('listen.accepted', { count: acceptedCount })}. `}
              {t('listen.scope')}
            </p>
          </div>
        </>
      )}
    </aside>
  );
}

/** The expected cost and what will be sent, before anything is. */
function Before({ listening, lengthMs }: { readonly listening: Listening; readonly lengthMs: number }) {
  const t = useText();
  const words = useFailureText();
  const { detail } = useEditor();
  const { phase, failure, notice } = listening;
  const isQuestionOpen = useIsQuestionOpen();
  if (phase === 'asking') return null;
  const isBusy = phase === 'reading' || phase === 'listening';
  const problem = failure === null ? null : words(failure);
  return (
    <div className={css['before']}>
      <p>{t(detail.isPractice ? 'listen.readyPractice' : 'listen.ready')}</p>
      {!detail.isPractice && <Cost lengthMs={lengthMs} />}
      {problem !== null && !isBusy && (
        <Banner tone="bad" role="alert" icon={X} title={problem.title}>
          {problem.textAfterTitle}
        </Banner>
      )}
      {notice !== null && !isBusy && <p role="alert">{t(`listen.${notice}`)}</p>}
      <div data-main>
        <Button variant="primary" icon={Ear} isLoading={isBusy} onPress={listening.start}>
          {t('listen.start')}
        </Button>
      </div>
      {isBusy && (
        <output className="inline gap-8">
          <Spinner />
          {t(isQuestionOpen ? 'common.asked' : `listen.${phase}`)}
        </output>
      )}
    </div>
  );
}

function Cost({ lengthMs }: { readonly lengthMs: number }) {
  const t = useText();
  const aboutCredits = useAboutCredits();
  const credits = expectedCredits([{ durationMs: lengthMs, sizeBytes: 0 }], {
    ...useListenRate(),
    creditsPerGigabyte: null,
  });
  return (
    <p className={css['cost']}>
      {credits === null ? t('listen.noRate') : `${t('transcribe.cost.expected')}: ${aboutCredits(credits)}`}
    </p>
  );
}

/** Enter presses a button from the start and splits no segment; later the text has its caret back. */
function useFocusInside(panel: RefObject<HTMLElement | null>, shown: string): void {
  useLayoutEffect(() => {
    const own = panel.current;
    const before = document.activeElement;
    const host = hostOfCaret();
    const offset = host === null ? null : caretOffset(host);
    own?.focus({ preventScroll: true });
    return () => {
      if (!hasFocus(own)) return;
      if (host?.isConnected === true && offset !== null) placeCaret(host, offset);
      else if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [panel]);
  useEffect(() => {
    // Whoever went back to the text meanwhile stays there.
    if (hasFocus(panel.current)) panel.current?.querySelector<HTMLElement>('[data-main] button')?.focus();
  }, [panel, shown]);
}

const hasFocus = (panel: HTMLElement | null): boolean =>
  document.activeElement === document.body || panel?.contains(document.activeElement) === true;

function HeardChanges({ listening, onClose }: { readonly listening: Listening; readonly onClose: () => void }) {
  const t = useText();
  const { detail } = useEditor();
  const { changes, acceptedCount } = listening;
  if (changes.length > 0) return <ChangeList listening={listening} />;
  // Practice mode hears no words, so it can't say that they are the same.
  const hasVerdict = !detail.isPractice || acceptedCount > 0;
  return (
    <div className={css['before']}>
      {hasVerdict ? (
        <output className={css['same']}>
          <Check aria-hidden size={16} strokeWidth={1.75} />
          <b>{t(acceptedCount > 0 ? 'listen.done' : 'listen.same')}</b>
        </output>
      ) : (
        <output>{t('listen.noChanges')}</output>
      )}
      {hasVerdict && acceptedCount === 0 && <p>{t('listen.sameText')}</p>}
      <div data-main>
        <Button onPress={onClose}>{t('listen.close')}</Button>
      </div>
    </div>
  );
}

const acceptPlace = 1;

function ChangeList({ listening }: { readonly listening: Listening }) {
  const t = useText();
  const { changes } = listening;
  const list = useRef<HTMLOListElement>(null);
  const [currentKey, setCurrentKey] = useState<string | null>(null);
  const current = changes.findIndex(({ key }) => key === currentKey);
  useMarkedChanges(changes, current);
  const focus = (row: number, place: number) =>
    list.current?.children[row]?.querySelectorAll<HTMLElement>('button')[place]?.focus();
  const decided = useRef<number | null>(null);
  /** The next change takes the place of the one that was decided. */
  const decide = (row: number, act: () => void) => () => {
    decided.current = row;
    act();
  };
  useLayoutEffect(() => {
    const row = decided.current;
    decided.current = null;
    if (row !== null && changes.length > 0) focus(Math.min(row, changes.length - 1), acceptPlace);
  }, [changes]);
  const rowOf = (target: EventTarget) =>
    [...(list.current?.children ?? [])].findIndex((one) => one.contains(target as Node));
  const walk = (event: KeyboardEvent) => {
    const row = rowOf(event.target);
    const buttons = [...(list.current?.children[row]?.querySelectorAll('button') ?? [])];
    const place = buttons.indexOf(event.target as HTMLButtonElement);
    const to = {
      ArrowDown: [row + 1, place],
      ArrowUp: [row - 1, place],
      ArrowRight: [row, place + 1],
      ArrowLeft: [row, place - 1],
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    focus(to[0] ?? row, to[1] ?? place);
  };
  return (
    <>
      <output className={css['line']}>{t('listen.changes', { count: changes.length })}</output>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys belong to the buttons inside */}
      <ol
        ref={list}
        className={css['list']}
        aria-label={t('listen.title')}
        onKeyDown={walk}
        onFocus={({ target }) => setCurrentKey(changes[rowOf(target)]?.key ?? null)}
      >
        {changes.map((change, row) => (
          <ChangeRow
            key={change.key}
            change={change}
            isMain={row === 0}
            onAccept={decide(row, () => listening.accept([change]))}
            onKeep={decide(row, () => listening.decline(change))}
          />
        ))}
      </ol>
    </>
  );
}

function ChangeRow({
  change,
  isMain,
  onAccept,
  onKeep,
}: {
  readonly change: HeardChange;
  readonly isMain: boolean;
  readonly onAccept: () => void;
  readonly onKeep: () => void;
}) {
  const t = useText();
  const { player, wordsLang } = useEditor();
  const { segmentId, from, old, heard, isOnlyTimes, atMs } = change;
  const shown = useDocument(({ transcript }) => transcript.segments.find(({ id }) => id === segmentId));
  const oldText = old.map(({ text }, at) => shown?.words[from + at]?.text ?? text).join(' ');
  const heardText = heard.map(({ text }) => text).join(' ');
  return (
    <li className={css['row']}>
      <span className="grid gap-2 fill breaks small">
        <span className={css['time']}>{clock(atMs)}</span>
        {isOnlyTimes ? (
          <span>{t('listen.times', { count: old.length })}</span>
        ) : (
          <span className={cx(css['words'], changed['words'], old.some(isRedacted) && css['covered'])} lang={wordsLang}>
            {old.length > 0 && <del>{oldText}</del>} <ins>{heard.length > 0 ? heardText : t('listen.nothing')}</ins>
          </span>
        )}
      </span>
      <IconButton
        icon={Play}
        size="sm"
        label={t('listen.hear')}
        onPress={() => {
          player.seek(Math.max(0, atMs - 400));
          player.play();
        }}
      />
      <span className={css['accept']} {...(isMain && { 'data-main': '' })}>
        <IconButton icon={Check} size="sm" label={t('listen.accept')} onPress={onAccept} />
      </span>
      <IconButton icon={X} size="sm" label={t('listen.keep')} onPress={onKeep} />
    </li>
  );
}

function useMarkedChanges(changes: readonly HeardChange[], current: number): void {
  const { store, timeline } = useEditor();
  const visited = useRef<string | null>(null);
  useEffect(() => {
    const matches = changes.map(({ segmentId, from, to }) => {
      const words = timeline.segments.find(({ id }) => id === segmentId)?.words ?? [];
      const lengthOf = (count: number) => words.slice(0, count).reduce((sum, { text }) => sum + text.length + 1, 0);
      return { segmentId, from: lengthOf(from), to: Math.max(lengthOf(from), lengthOf(to) - 1) };
    });
    const key = changes[current]?.key ?? null;
    // The changes are compared again after every edit, which scrolls to none of them.
    store.showFound(matches, current, key !== null && key !== visited.current);
    visited.current = key;
  }, [changes, current, store, timeline]);
  useEffect(() => () => store.showFound([], -1), [store]);
}

type Listening = ReturnType<typeof useListenAgain>;

function useListenAgain(span: TimeSpan) {
  const studio = useStudio();
  const queries = useQueryClient();
  const { detail, document: text } = useEditor();
  const transcript = useDocument((state) => state.transcript);
  const [declined, setDeclined] = useState<ReadonlySet<string>>(new Set());
  const [acceptedCount, setAcceptedCount] = useState(0);
  const [step, setStep] = useState<'reading' | 'listening'>('reading');
  const { startMs, endMs } = span;
  const asked = { transcriptId: detail.id, startMs, endMs, language: detail.transcript.language };
  // Asked again when a cost was reported.
  const key = ['usage', 'heard-again', detail.id, startMs, endMs];
  const kept = useQuery({
    queryKey: key,
    queryFn: () => valueOrThrow(studio.request('transcripts.listenAgain', { ...asked, pcm: null })),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const listen = useMutation({
    mutationFn: async () => {
      setStep('reading');
      const { mediaUrl } = detail;
      const pcm = mediaUrl === null ? null : await readSpan(mediaUrl, startMs, endMs).catch(() => null);
      if (pcm === null) return 'unreadable' as const;
      setStep('listening');
      const heard = await valueOrThrow(studio.request('transcripts.listenAgain', { ...asked, pcm }));
      return heard.words === null ? ('declined' as const) : heard;
    },
    onSuccess: (heard) => {
      if (typeof heard !== 'string') queries.setQueryData(key, heard);
    },
  });
  const { words: data = null, credits = null } = kept.data ?? {};
  const words = useMemo(() => (data === null ? null : heardInScript(transcript, data)), [transcript, data]);
  const changes = useMemo(
    () => (words === null ? [] : compareHeard(transcript, span, words).filter((one) => !declined.has(one.key))),
    [words, transcript, span, declined],
  );
  return {
    /** `asking` for an earlier result, `ready` to be sent, under way, or `heard`. */
    phase: listen.isPending ? step : words !== null ? 'heard' : kept.isPending ? 'asking' : 'ready',
    /** It costs nothing. */
    isKept: words !== null && typeof listen.data !== 'object',
    credits,
    changes,
    acceptedCount,
    failure: failureOf(listen.error) ?? failureOf(kept.error),
    notice: typeof listen.data === 'string' ? listen.data : null,
    start: () => listen.mutate(),
    accept(chosen: readonly HeardChange[]) {
      const comparison = { span, heard: words ?? [] };
      if (text.edit('listen-again', (now) => acceptListed(now, comparison, chosen, changes)) !== null) return;
      setAcceptedCount((count) => count + chosen.length);
      // What is still different could not be written otherwise, and is no question of its own.
      const open = new Set(changes.filter((one) => !chosen.includes(one)).map(({ key: of }) => of));
      const left = compareHeard(text.getState().transcript, span, comparison.heard);
      setDeclined((known) => new Set([...known, ...left.map(({ key: of }) => of).filter((of) => !open.has(of))]));
    },
    decline: ({ key: declinedKey }: HeardChange) => setDeclined((known) => new Set([...known, declinedKey])),
  };
}
