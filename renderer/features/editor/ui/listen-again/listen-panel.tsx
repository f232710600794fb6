import { Ear, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { clock } from '../../../../../shared/domain/time/time-code.ts';
import { useCreditRate } from '../../../../bridge/use-credits.ts';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useEditor } from '../../editor-context.ts';
import { caretOffset, hostOfCaret, placeCaret } from '../caret.ts';
import { HeardChanges } from './heard-changes.tsx';
import { useListenAgain, type Listening } from './use-listen-again.ts';
import inspector from '../inspector.module.css';
import css from './listen-panel.module.css';

/**
 * A span of the recording that is recognised again: differences are accepted or rejected, individually or all at once.
 */
export function ListenPanel({ span }: { readonly span: TimeSpan }) {
  const t = useText();
  const formats = useFormats();
  const { store, detail } = useEditor();
  const listening = useListenAgain(span);
  const { phase, changes, acceptedCount, isKept } = listening;
  const close = () => {
    store.listenTo(null);
  };
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
        <h2>{t('listen.title')}</h2>
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
                onPress={() => {
                  listening.accept(changes);
                }}
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
  const words = useFailureWords();
  const { detail } = useEditor();
  const { phase, failure, notice } = listening;
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
        <output className={css['busy']}>
          <Spinner />
          {t(`listen.${phase}`)}
        </output>
      )}
    </div>
  );
}

function Cost({ lengthMs }: { readonly lengthMs: number }) {
  const t = useText();
  const formats = useFormats();
  const { creditsPerHour } = useCreditRate();
  const perHour = Number(creditsPerHour ?? Number.NaN);
  const credits = Math.max(0.1, Math.round((perHour * lengthMs) / 360_000) / 10);
  return (
    <p className={css['cost']}>
      {Number.isFinite(perHour) && perHour > 0
        ? `${t('transcribe.cost.expected')}: ${t('transcribe.cost.about', { count: credits, amount: formats.number(credits) })}`
        : t('listen.noRate')}
    </p>
  );
}

/**
 * The panel has the focus from the moment it opens, so that Enter presses its button and splits no segment. When it
 * closes, the text has its caret back.
 */
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

/** Whether the focus is in the panel; it is on the page when the button that had it is gone. */
const hasFocus = (panel: HTMLElement | null): boolean =>
  document.activeElement === document.body || panel?.contains(document.activeElement) === true;
