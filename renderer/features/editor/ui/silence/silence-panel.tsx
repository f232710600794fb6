import { Play, Scissors, Undo2, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { cutSilences, restoreSilences } from '../../../../../shared/domain/transcript/edit-marks.ts';
import { findSilences, usualSilence, type SilenceRule } from '../../../../../shared/domain/transcript/find-silences.ts';
import { lengthClock } from '../../../../../shared/domain/time/time-code.ts';
import type { TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { bucketsPerSecond } from '../../../../../shared/domain/audio/peak-builder.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Range } from '../../../../ui/range.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useDocument, useEditor, useEditorState } from '../../editor-context.ts';
import inspector from '../inspector.module.css';
import css from '../listen-again/listen-panel.module.css';
import own from './silence-panel.module.css';

/** How much is played before a silence as a preview. */
const leadMs = 1500;
const lengthOf = (spans: readonly TimeSpan[]) => spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);

/** What was cut last here, and the cuts of the transcript right after it. */
interface LastCut {
  readonly cuts: readonly TimeSpan[];
  readonly count: number;
  readonly lengthMs: number;
}

/** Finds silences by loudness, previews the audio without them, and cuts them as one step. */
export function SilencePanel() {
  const t = useText();
  const { store, document: text, player } = useEditor();
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  const pyramid = useEditorState((state) => state.pyramid);
  const [rule, setRule] = useState<SilenceRule>(usualSilence);
  const loudness = useMemo(() => pyramid?.all().rms ?? null, [pyramid]);
  const found = useMemo(
    () => (loudness === null ? [] : findSilences(transcript, loudness, 1000 / bucketsPerSecond, rule)),
    [transcript, loudness, rule],
  );
  useEffect(() => {
    store.showSilences(found);
  }, [store, found]);
  const { cuts = [] } = transcript;
  const [lastCut, setLastCut] = useState<LastCut | null>(null);
  const justCut = found.length === 0 && lastCut?.cuts === cuts ? lastCut : null;
  const close = () => {
    store.findSilence(false);
  };
  const change = (part: Partial<SilenceRule>) => {
    setRule((before) => ({ ...before, ...part }));
    setLastCut(null);
  };
  return (
    <aside
      className={inspector['inspector']}
      aria-label={t('editor.silence.title')}
      data-pane="inspector"
      data-notice-corner
    >
      <div className={css['head']}>
        <h2>{t('editor.silence.title')}</h2>
        <IconButton icon={X} size="sm" label={t('common.close')} onPress={close} />
      </div>
      <div className={own['rules']}>
        <Rule
          label={t('editor.silence.below')}
          unit="dB"
          value={rule.belowDb}
          min={-40}
          max={-10}
          step={1}
          onChange={(belowDb) => {
            change({ belowDb });
          }}
        />
        <Rule
          label={t('editor.silence.least')}
          unit="s"
          value={rule.leastMs / 1000}
          min={0.2}
          max={5}
          step={0.1}
          onChange={(seconds) => {
            change({ leastMs: Math.round(seconds * 1000) });
          }}
        />
        <Rule
          label={t('editor.silence.keep')}
          unit="ms"
          value={rule.keepMs}
          min={0}
          max={500}
          step={50}
          onChange={(keepMs) => {
            change({ keepMs });
          }}
        />
      </div>
      <div className={own['act']}>
        {pyramid === null ? (
          <output className={css['busy']}>
            <Spinner />
            {t('editor.silence.reading')}
          </output>
        ) : (
          <output className={own['found']}>
            {justCut !== null
              ? t('editor.silence.justCut', { count: justCut.count, time: lengthClock(justCut.lengthMs) })
              : found.length === 0
                ? t('editor.silence.none')
                : t('editor.silence.found', { count: found.length, time: lengthClock(lengthOf(found)) })}
          </output>
        )}
        <div className={own['buttons']}>
          <Button
            icon={Play}
            isDisabled={found.length === 0}
            onPress={() => {
              const next = found.find(({ startMs }) => startMs > player.timeMs() + leadMs) ?? found[0];
              player.seek(Math.max(0, (next?.startMs ?? 0) - leadMs));
              player.play();
            }}
          >
            {t('editor.silence.try')}
          </Button>
          <Button
            variant="primary"
            icon={Scissors}
            isDisabled={found.length === 0}
            onPress={() => {
              text.endStep();
              text.edit('silences', (now) => cutSilences(now, found));
              const { cuts: made = [] } = text.getState().transcript;
              setLastCut({ cuts: made, count: found.length, lengthMs: lengthOf(found) });
            }}
          >
            {t('editor.silence.cut', { count: found.length })}
          </Button>
        </div>
      </div>
      <div className={css['before']}>
        {(found.length > 0 || justCut !== null) && <p className={css['hint']}>{t('editor.silence.hint')}</p>}
        {cuts.length > 0 && (
          <>
            {(justCut === null || lengthOf(cuts) !== justCut.lengthMs) && (
              <p>{t('editor.silence.done', { count: cuts.length, time: lengthClock(lengthOf(cuts)) })}</p>
            )}
            <Button
              icon={Undo2}
              onPress={() => {
                text.endStep();
                text.edit('restore-silences', (now) => restoreSilences(now, { startMs: 0, endMs: now.durationMs }));
              }}
            >
              {t('editor.silence.restore')}
            </Button>
          </>
        )}
      </div>
    </aside>
  );
}

interface RuleProps {
  readonly label: string;
  readonly unit: 'dB' | 's' | 'ms';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

function Rule({ label, unit, ...range }: RuleProps) {
  const t = useText();
  const formats = useFormats();
  const number = formats.number(range.value);
  const written = {
    // “Quieter by” says the sign already.
    dB: t('editor.silence.db', { count: formats.number(Math.abs(range.value)) }),
    s: t('editor.waveform.seconds', { seconds: number }),
    ms: t('exports.milliseconds', { count: range.value }),
  }[unit];
  return (
    <div className={own['rule']}>
      <span aria-hidden>{label}</span>
      <span aria-hidden>{written}</span>
      <Range label={label} valueText={written} {...range} />
    </div>
  );
}
