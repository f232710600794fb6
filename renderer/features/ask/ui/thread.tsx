import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, Copy, ExternalLink, FilePlus2, FileText, Play, RotateCw, Square } from 'lucide-react';
import { type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Citation } from '../../../../shared/domain/assistant/ask-messages.ts';
import { isLineTask, type LineTask } from '../../../../shared/domain/assistant/ask-tasks.ts';
import {
  type AnswerBlock,
  type AnswerPiece,
  answerWithTimes,
  readAnswer,
} from '../../../../shared/domain/assistant/read-answer.ts';
import { isUnsentForNow } from '../../../../shared/domain/failures/network-fault.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { CitedLine, ExchangeView } from '../../../bridge/types.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { KeyHelp } from '../../../parts/connection/key-help.tsx';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { SaveText } from '../../../parts/exports/save-text.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MenuAt, type MenuEntry, type MenuPoint } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../ask.module.css';
import { type Arriving, shownCredits, useUsualWords } from '../ask-hooks.ts';
import { Attachments } from './attachments.tsx';
import { Quote, usePassages, type Passages } from './quote.tsx';
import { useSourceFacts } from './sources.tsx';

const markIn = ({ pieces }: AnswerBlock): string => pieces.find((piece) => 'mark' in piece)?.mark ?? '';

interface ThreadProps {
  readonly exchanges: readonly ExchangeView[];
  readonly cited: readonly CitedLine[];
  readonly arriving: Arriving | null;
  readonly beginsAt: number | null;
  readonly canAsk: boolean;
  readonly onOpen: (citation: Citation) => void;
  readonly onStop: (exchangeId: string) => void;
  readonly onAgain: (exchange: ExchangeView) => void;
  readonly onCheck: (exchange: ExchangeView) => void;
}

export function Thread({ exchanges, arriving, beginsAt, ...actions }: ThreadProps) {
  const t = useText();
  const passages = usePassages();
  const end = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const length = arriving?.text.length ?? 0;
  const askedId = arriving?.exchange.id;
  useLayoutEffect(() => {
    // What was just asked comes into view, wherever the user was reading.
    if (askedId !== undefined) isAtEnd.current = true;
  }, [askedId]);
  // Before it is painted, so that Stop does not jump with each word.
  useLayoutEffect(() => {
    // The view does not scroll for somebody who scrolled back to read.
    if (isAtEnd.current) end.current?.scrollIntoView({ block: 'end' });
  }, [length, exchanges.length, askedId]);
  useEffect(() => {
    const shown = beginsAt === null ? null : scroller.current?.children[beginsAt];
    if (shown === null || shown === undefined) return;
    isAtEnd.current = false;
    shown.scrollIntoView({ block: 'start' });
  }, [beginsAt]);
  return (
    <div
      ref={scroller}
      className={css['thread']}
      role="log"
      aria-label={t('ask.thread')}
      aria-live="off"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
      tabIndex={0}
      onScroll={() => {
        const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {exchanges.map((exchange) => {
        const isArriving = arriving?.exchange.id === exchange.id;
        // Asked again, it is being answered as soon as main says so, whatever was read of it before.
        const shown = isArriving
          ? { ...arriving.exchange, answer: arriving.text, citations: arriving.citations }
          : exchange;
        return <OneExchange key={exchange.id} exchange={shown} passages={passages} {...actions} />;
      })}
      <div ref={end} />
    </div>
  );
}

type OneExchangeProps = Omit<ThreadProps, 'exchanges' | 'arriving' | 'beginsAt'> & {
  readonly exchange: ExchangeView;
  readonly passages: Passages;
};

function OneExchange({ exchange, cited, passages, onOpen, onStop, ...ending }: OneExchangeProps) {
  const t = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const { task, question, answer, citations, state } = exchange;
  const Written = isLineTask(task) ? LineAnswer : Answer;
  const { titleOf, hasTimes } = useSourceFacts();
  const copied = answerWithTimes(answer, citations, isLineTask(task) ? () => '' : titleOf, hasTimes);
  const lineOf = ({ transcriptId, segmentId }: Citation) =>
    cited.find((one) => one.transcriptId === transcriptId && one.segmentId === segmentId);
  const quoted = citations.find(({ mark }) => mark === chosen);
  const quotedLine = quoted && lineOf(quoted);
  const onCite = (citation: Citation) => {
    setChosen(citation.mark);
    const line = lineOf(citation);
    if (line !== undefined) void passages.play(line);
  };
  const menu = useAnswerMenu(copied, citations, { onCite, onOpen });
  return (
    <>
      {menu.shown}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the same is on buttons */}
      <article className="column gap-14" onContextMenu={menu.open}>
        <div className={css['question']}>
          {task !== 'question' && <b>{t(`ask.tasks.${task}`)}</b>}
          {question !== '' && <p>{question}</p>}
          <Attachments files={exchange.files} />
        </div>
        {answer !== '' && (
          <Written
            text={answer}
            citations={citations}
            cited={cited}
            isArriving={state === 'asking'}
            chosen={chosen}
            onCite={onCite}
          />
        )}
        {quotedLine && <Quote line={quotedLine} passages={passages} onOpen={onOpen} />}
        {state === 'asking' ? (
          <Answering exchange={exchange} onStop={onStop} />
        ) : (
          <Ending exchange={exchange} copied={copied} {...ending} />
        )}
      </article>
    </>
  );
}

function Answering({ exchange, onStop }: { readonly exchange: ExchangeView; readonly onStop: (id: string) => void }) {
  const t = useText();
  const nowMs = useNow(true);
  const seconds = Math.max(0, Math.round((nowMs - exchange.askedAtMs) / 1000));
  return (
    <div className={cx('row gap-8 thin', 'small muted')}>
      <Spinner />
      <span>{t('ask.answering', { seconds })}</span>
      <Button size="sm" icon={Square} shortcut="Escape" onPress={() => onStop(exchange.id)}>
        {t('ask.stop')}
      </Button>
    </div>
  );
}

type EndingProps = Pick<ThreadProps, 'canAsk' | 'onAgain' | 'onCheck'> & { exchange: ExchangeView; copied: string };

function Ending({ exchange, copied, canAsk, onAgain, onCheck }: EndingProps) {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const words = useFailureText();
  const { state, failure, credits, estimate, usual, answer, task, question } = exchange;
  const isByLines = isLineTask(task);
  const isPractice = modeOf(useConnection().mode).isFree;
  const usualOf = useUsualWords();
  const isPending = failure?.kind === 'earlier-question-pending';
  const isWhole = state === 'done' && failure === null;
  const titleOfAnswer = (question || t(task === 'question' ? 'ask.title' : `ask.tasks.${task}`)).slice(0, 120);
  const cost = (): string => {
    if (credits !== null) return t('ask.cost', { count: shownCredits(credits), credits: formats.credits(credits) });
    if (estimate === null || state === 'failed') return '';
    return t(usual === null ? 'ask.costUnknown' : 'ask.costExpected', {
      count: shownCredits(usual ?? estimate),
      credits: formats.creditsAtMost(usual ?? estimate),
    });
  };
  const title =
    state === 'stopped' || state === 'interrupted'
      ? t(`ask.ended.${state}`)
      : failure === null
        ? null
        : words(failure).title;
  // What it cost is the best guess of what it costs again.
  const priced = (words: string): string => {
    const price = isPractice ? '' : usualOf({ credits: estimate, usual: credits ?? usual });
    return price === '' ? words : `${words} · ${price}`;
  };
  const again = (
    <Button size="sm" icon={RotateCw} isDisabled={!canAsk} onPress={() => onAgain(exchange)}>
      {isPending ? t('ask.tryAgainFree') : isByLines && answer !== '' ? t('ask.missing') : priced(t('ask.askAgain'))}
    </Button>
  );
  return (
    <>
      {title !== null && (
        <Banner
          tone={state === 'stopped' ? 'neutral' : 'warn'}
          icon={CircleAlert}
          title={title}
          actions={
            <>
              {exchange.llmRequestId !== null && credits === null && !isByLines && (
                <Button size="sm" onPress={() => onCheck(exchange)}>
                  {t('ask.check')}
                </Button>
              )}
              {failure?.kind === 'key-refused' && <KeyHelp />}
              {state !== 'done' && again}
            </>
          }
        >
          {failure === null
            ? t('ask.ended.kept')
            : isUnsentForNow(failure)
              ? t('ask.unsent')
              : words(failure).textAfterTitle}
        </Banner>
      )}
      <div className="row gap-8 thin">
        {answer !== '' && (
          <Button size="sm" variant="ghost" icon={Copy} label={t('ask.copy')} onPress={() => void copy(copied)}>
            {t('common.copy')}
          </Button>
        )}
        {answer !== '' && <SaveText size="sm" title={titleOfAnswer} text={() => copied} />}
        {isWhole && isLineTask(task) && <SaveLines exchange={exchange} task={task} />}
        {isWhole && !isByLines && (
          <IconButton
            size="sm"
            icon={RotateCw}
            label={priced(t('ask.askAgain'))}
            isDisabled={!canAsk}
            onPress={() => onAgain(exchange)}
          />
        )}
        <span className={cx('small muted', 'apart digits')}>{isPractice ? '' : cost()}</span>
      </div>
    </>
  );
}

interface Pressed {
  readonly at: MenuPoint;
  readonly selected: string;
  readonly line: string;
  readonly citation: Citation | undefined;
}

/** The context menu of an answer; `open` handles its `contextmenu` event, which Shift+F10 sends too. */
function useAnswerMenu(
  answer: string,
  citations: readonly Citation[],
  { onCite, onOpen }: Readonly<Record<'onCite' | 'onOpen', (citation: Citation) => void>>,
) {
  const t = useText();
  const copyText = useCopy();
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const open = (event: MouseEvent) => {
    if (answer === '' || !(event.target instanceof Element)) return;
    event.preventDefault();
    const line = event.target.closest<HTMLElement>('[data-line]');
    const { left, bottom } = event.target.getBoundingClientRect();
    setPressed({
      at: event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom },
      selected: window.getSelection()?.toString() ?? '',
      line: (line?.querySelector('[data-words]') ?? line)?.textContent.trim() ?? '',
      citation: citations.find(({ mark }) => mark === line?.dataset['line']),
    });
  };
  const copy = (id: string, text: string, words: string): MenuEntry => {
    return { id, text, icon: Copy, onAction: () => void copyText(words) };
  };
  const entriesOf = ({ selected, line, citation }: Pressed): readonly MenuEntry[] => {
    const time = citation && clock(citation.startMs);
    return [
      ...(selected === '' ? [] : [copy('selection', t('ask.copySelection'), selected)]),
      ...(line === '' ? [] : [copy('line', t('ask.copyLine'), line)]),
      copy('answer', t('ask.copy'), answer),
      ...(citation === undefined || time === undefined
        ? []
        : [
            'separator' as const,
            { id: 'hear', text: t('ask.hear', { time }), icon: Play, onAction: () => onCite(citation) },
            { id: 'open', text: t('ask.openAt', { time }), icon: ExternalLink, onAction: () => onOpen(citation) },
          ]),
    ];
  };
  return {
    open,
    shown: pressed && (
      <MenuAt
        label={t('ask.answerMenu')}
        at={pressed.at}
        entries={entriesOf(pressed)}
        onClose={() => setPressed(null)}
      />
    ),
  };
}

interface AnswerProps {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** While it arrives, nothing is marked as unsourced: the citation may follow in a moment. */
  readonly isArriving: boolean;
  /** The mark of the citation that is quoted. */
  readonly chosen: string | null;
  readonly onCite: (citation: Citation) => void;
}

function Answer({ text, citations, isArriving, chosen, onCite }: AnswerProps) {
  const known = useMemo(() => new Map(citations.map((one) => [one.mark, one])), [citations]);
  const blocks = useMemo(() => readAnswer(text, new Set(known.keys())), [text, known]);
  const parts: { kind: AnswerBlock['kind']; blocks: AnswerBlock[] }[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    const isList = block.kind === 'bullet' || block.kind === 'number';
    if (isList && last?.kind === block.kind) last.blocks.push(block);
    else parts.push({ kind: block.kind, blocks: [block] });
  }
  const write = ({ pieces }: AnswerBlock) => (
    <Pieces pieces={pieces} known={known} isArriving={isArriving} chosen={chosen} onCite={onCite} />
  );
  return (
    <div className={css['answer']} aria-busy={isArriving}>
      {parts.map(({ kind, blocks: own }, at) => {
        const key = String(at);
        const [first] = own;
        if (first === undefined) return null;
        if (kind === 'heading') return <h3 key={key}>{write(first)}</h3>;
        if (kind === 'paragraph')
          return (
            <p key={key} data-line={markIn(first)}>
              {write(first)}
            </p>
          );
        const List = kind === 'number' ? 'ol' : 'ul';
        return (
          <List key={key}>
            {own.map((block, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- blocks only grow at the end
              <li key={index} data-line={markIn(block)}>
                {write(block)}
              </li>
            ))}
          </List>
        );
      })}
    </div>
  );
}

interface PiecesProps extends Pick<AnswerProps, 'isArriving' | 'chosen' | 'onCite'> {
  readonly pieces: readonly AnswerPiece[];
  readonly known: ReadonlyMap<string, Citation>;
}

function Pieces({ pieces, known, isArriving, chosen, onCite }: PiecesProps) {
  const t = useText();
  const { titleOf, hasTimes } = useSourceFacts();
  return pieces.map((piece, at) => {
    const key = String(at);
    if (piece.kind === 'unsourced')
      return isArriving ? null : (
        <span key={key} className={css['noSource']}>
          {t('ask.noSource')}
        </span>
      );
    if (piece.kind === 'text') {
      const className = piece.isUnsourced && !isArriving ? css['unsourced'] : undefined;
      const Words = piece.isBold ? 'b' : 'span';
      return (
        <Words key={key} className={className}>
          {piece.text}
        </Words>
      );
    }
    const citation = known.get(piece.mark);
    if (citation === undefined)
      return isArriving ? null : (
        <span key={key} className={css['noSource']}>
          {t('ask.unknownMark')}
        </span>
      );
    const title = titleOf(citation.transcriptId);
    const time = hasTimes(citation.transcriptId) ? clock(citation.startMs) : '';
    return (
      <PressButton
        key={key}
        className={css['cite']}
        current={chosen === piece.mark ? 'true' : null}
        label={t('ask.goTo', { time: `${title} ${time}`.trim() })}
        onPress={() => onCite(citation)}
      >
        <span className="cut">{title}</span> {time !== '' && <span>{time}</span>}
      </PressButton>
    );
  });
}

interface LineAnswerProps {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly cited: readonly CitedLine[];
  readonly isArriving: boolean;
  readonly onCite: (citation: Citation) => void;
}

function LineAnswer({ text, citations, cited, isArriving, onCite }: LineAnswerProps) {
  const t = useText();
  const known = new Map(citations.map((one) => [one.mark, one]));
  const said = new Map(cited.map((one) => [one.segmentId, one.line]));
  const rows = text
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map((row) => {
      const [, mark = '', words = row] = /^\s*\[(s\d{1,6})\]\s*(.*)$/u.exec(row) ?? [];
      const citation = known.get(mark);
      return { mark, words, citation, line: citation && said.get(citation.segmentId) };
    });
  return (
    <ol className={cx(css['answer'], css['lines'])} aria-busy={isArriving}>
      {rows.map(({ mark, words, citation, line }, at) => {
        const speaker = line?.speaker ?? null;
        const isNewSpeaker = speaker !== null && speaker !== (rows[at - 1]?.line?.speaker ?? null);
        const time = citation && clock(citation.startMs);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- lines only grow at the end
          <li key={at} data-line={mark}>
            {citation && time !== undefined && (
              <PressButton className={css['cite']} label={t('ask.goTo', { time })} onPress={() => onCite(citation)}>
                {time}
              </PressButton>
            )}
            <span className={css['said']}>
              {isNewSpeaker && (
                <span className="small muted">
                  <SpeakerMark number={line?.speakerNumber ?? 1} name={speaker} />
                </span>
              )}
              <span data-words>{words}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function SaveLines({ exchange, task }: { readonly exchange: ExchangeView; readonly task: LineTask }) {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureText();
  const showToast = useToast();
  const [, navigate] = useLocation();
  const { titleOf, isKnown } = useSourceFacts();
  const [isSaving, setIsSaving] = useState(false);
  const [savedId, setSavedId] = useState<string | null>(null);
  const about = exchange.citations[0]?.transcriptId ?? '';
  const save = async () => {
    setIsSaving(true);
    const named = t(`ask.linesTitle.${task}`, { title: titleOf(about).slice(0, 250) });
    const saved = await studio.request('ask.saveLines', { exchangeId: exchange.id, title: named });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    setIsSaving(false);
    if (!saved.ok) showToast({ text: words(saved.error).text, icon: CircleAlert });
    else {
      setSavedId(saved.value.transcriptId);
      showToast({ text: t('ask.savedLines'), icon: Check });
    }
  };
  // Another press would only make a second one.
  if (savedId !== null && isKnown(savedId))
    return (
      <Button size="sm" icon={FileText} onPress={() => navigate(`/transcripts/${savedId}`)}>
        {t('ask.openLines')}
      </Button>
    );
  return (
    <Button size="sm" icon={FilePlus2} isLoading={isSaving} isDisabled={!isKnown(about)} onPress={() => void save()}>
      {t('ask.saveLines')}
    </Button>
  );
}
