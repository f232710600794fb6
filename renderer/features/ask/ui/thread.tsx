import { KeyHelp } from '../../../parts/connection/key-help.tsx';
import { CircleAlert, Copy, RotateCw, Square } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Citation } from '../../../../shared/domain/assistant/ask-messages.ts';
import { isLineTask } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { answerWithTimes } from '../../../../shared/domain/assistant/read-answer.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import type { CitedLine, ExchangeView } from '../../../bridge/types.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useCopy } from '../../../ui/notices.ts';
import type { Arriving } from '../use-asking.ts';
import { useTitleOf } from '../ask-hooks.ts';
import { shownCredits } from '../use-cost-words.ts';
import { useAnswerMenu } from './answer-menu.tsx';
import { Answer } from './answer.tsx';
import { Attachments } from './attachments.tsx';
import { LineAnswer, SaveLines } from './line-tasks.tsx';
import css from './thread.module.css';

export interface ThreadProps {
  readonly exchanges: readonly ExchangeView[];
  /** The passages that the answers cite. */
  readonly cited: readonly CitedLine[];
  /** There is more than one recording, so that a time alone does not say where. */
  readonly isAboutMany: boolean;
  readonly arriving: Arriving | null;
  /** The index of the question to show first; null: the end. */
  readonly beginsAt: number | null;
  /** Another question can be asked now. */
  readonly canAsk: boolean;
  readonly onCite: (citation: Citation) => void;
  readonly onOpen: (citation: Citation) => void;
  readonly onStop: (exchangeId: string) => void;
  /** Asks it again; it may be charged again. */
  readonly onAgain: (exchange: ExchangeView) => void;
  /** Asks the service what it recorded; free. */
  readonly onCheck: (exchange: ExchangeView) => void;
}

/** Questions and answers of a conversation, the last one at the bottom. */
export function Thread({ exchanges, arriving, beginsAt, ...actions }: ThreadProps) {
  const t = useText();
  const end = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const length = arriving?.text.length ?? 0;
  const askedId = arriving?.exchange.id;
  useEffect(() => {
    // What was just asked comes into view, wherever the user was reading.
    if (askedId !== undefined) isAtEnd.current = true;
  }, [askedId]);
  useEffect(() => {
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
        return <OneExchange key={exchange.id} exchange={shown} {...actions} />;
      })}
      <div ref={end} />
    </div>
  );
}

function OneExchange({
  exchange,
  cited,
  isAboutMany,
  canAsk,
  onCite,
  onOpen,
  onStop,
  onAgain,
  onCheck,
}: Omit<ThreadProps, 'exchanges' | 'arriving' | 'beginsAt'> & { readonly exchange: ExchangeView }) {
  const t = useText();
  const { task, question, answer, citations, state } = exchange;
  const Written = isLineTask(task) ? LineAnswer : Answer;
  const titleOf = useTitleOf();
  const copied = answerWithTimes(answer, citations, isLineTask(task) ? () => '' : titleOf);
  const menu = useAnswerMenu({ answer: copied, citations, onCite, onOpen });
  return (
    <>
      {menu.shown}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the same is on buttons */}
      <article className={css['exchange']} onContextMenu={menu.open}>
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
            titleOf={isAboutMany ? titleOf : null}
            onCite={onCite}
          />
        )}
        {state === 'asking' ? (
          <Answering exchange={exchange} onStop={onStop} />
        ) : (
          <Ending exchange={exchange} copied={copied} canAsk={canAsk} onAgain={onAgain} onCheck={onCheck} />
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
    <div className={css['state']}>
      <Spinner />
      <span>{t('ask.answering', { seconds })}</span>
      <Button
        size="sm"
        icon={Square}
        shortcut="Escape"
        onPress={() => {
          onStop(exchange.id);
        }}
      >
        {t('ask.stop')}
      </Button>
    </div>
  );
}

/** How an answer ended: its cost, or what happened to it and what can be done. */
function Ending({
  exchange,
  copied,
  canAsk,
  onAgain,
  onCheck,
}: Pick<ThreadProps, 'canAsk' | 'onAgain' | 'onCheck'> & { exchange: ExchangeView; copied: string }) {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const words = useFailureWords();
  const { state, failure, credits, estimate, answer, task } = exchange;
  const isByLines = isLineTask(task);
  const isPractice = modeOf(useConnection().mode).isFree;
  const isPending = failure?.row === 'E-074';
  const isWhole = state === 'done' && failure === null;
  const title =
    state === 'stopped' || state === 'interrupted'
      ? t(`ask.ended.${state}`)
      : failure === null
        ? null
        : words(failure).title;
  const again = (
    <Button
      size="sm"
      icon={RotateCw}
      isDisabled={!canAsk}
      onPress={() => {
        onAgain(exchange);
      }}
    >
      {t(isPending ? 'ask.tryAgainFree' : isByLines && answer !== '' ? 'ask.missing' : 'ask.askAgain')}
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
                <Button
                  size="sm"
                  onPress={() => {
                    onCheck(exchange);
                  }}
                >
                  {t('ask.check')}
                </Button>
              )}
              {failure?.row === 'E-032' && <KeyHelp />}
              {state !== 'done' && again}
            </>
          }
        >
          {failure === null ? t('ask.ended.kept') : words(failure).textAfterTitle}
        </Banner>
      )}
      <div className={css['facts']}>
        {isPractice ? null : credits !== null ? (
          <span>{t('ask.cost', { credits: formats.credits(credits) })}</span>
        ) : estimate !== null && state !== 'failed' ? (
          <span>
            {t('ask.costUnknown', { count: shownCredits(estimate), credits: formats.creditsAtMost(estimate) })}
          </span>
        ) : null}
        {answer !== '' && <IconButton size="sm" icon={Copy} label={t('ask.copy')} onPress={() => void copy(copied)} />}
        {isWhole && isLineTask(task) && <SaveLines exchange={exchange} task={task} />}
        {isWhole && state === 'done' && !isByLines && (
          <IconButton
            size="sm"
            icon={RotateCw}
            label={t('ask.askAgain')}
            isDisabled={!canAsk}
            onPress={() => {
              onAgain(exchange);
            }}
          />
        )}
      </div>
    </>
  );
}
