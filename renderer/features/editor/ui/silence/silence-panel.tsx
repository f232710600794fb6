import { Play, Scissors, Undo2, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import {
  cutSilences,
  restoreSilences,
  findSilences,
  usualSilence,
  type SilenceRule,
} from '../../../../../shared/domain/transcript/edit-marks.ts';
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

const leadMs = 1500;
const lengthOf = (spans: readonly TimeSpan[]) => spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);

/** What was cut last here, and the cuts of the transcript right after it. */
interface LastCut {
  readonly cuts: readonly TimeSpan[];
  readonly count: number;
  readonly lengthMs: number;
}

const rules = [
  { name: 'belowDb', label: 'below', unit: 'dB', min: -40, max: -10, step: 1 },
  { name: 'leastMs', label: 'least', unit: 's', min: 0.2, max: 5, step: 0.1 },
  { name: 'keepMs', label: 'keep', unit: 'ms', min: 0, max: 500, step: 50 },
] as const;

export function SilencePanel() {
  const t = useText();
  const formats = useFormats();
  const { store, document: text, player } = useEditor();
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  const pyramid = useEditorState((state) => state.pyramid);
  const [rule, setRule] = useState<SilenceRule>(usualSilence);
  const loudness = useMemo(() => pyramid?.all().rms ?? null, [pyramid]);
  const found = useMemo(
    () => (loudness === null ? [] : findSilences(transcript, loudness, 1000 / bucketsPerSecond, rule)),
    [transcript, loudness, rule],
  );
  useEffect(() => store.setState({ foundSilences: found }), [store, found]);
  const { cuts = [] } = transcript;
  const [lastCut, setLastCut] = useState<LastCut | null>(null);
  const justCut = found.length === 0 && lastCut?.cuts === cuts ? lastCut : null;
  const close = () => store.findSilence(false);
  return (
    <aside
      className={inspector['inspector']}
      aria-label={t('editor.silence.title')}
      data-pane="inspector"
      data-notice-corner
    >
      <div className={css['head']}>
        <h2 className="text-sm strong">{t('editor.silence.title')}</h2>
        <IconButton icon={X} size="sm" label={t('common.close')} onPress={close} />
      </div>
      <div className={css['rules']}>
        {rules.map(({ name, label, unit, ...range }) => {
          const value = unit === 's' ? rule[name] / 1000 : rule[name];
          const written = {
            // “Quieter by” says the sign already.
            dB: t('editor.silence.db', { count: formats.number(Math.abs(value)) }),
            s: t('editor.waveform.seconds', { seconds: formats.number(value) }),
            ms: t('exports.milliseconds', { count: value }),
          }[unit];
          return (
            <div key={name} className={css['rule']}>
              <span aria-hidden>{t(`editor.silence.${label}`)}</span>
              <span aria-hidden>{written}</span>
              <Range
                {...range}
                label={t(`editor.silence.${label}`)}
                value={value}
                valueText={written}
                onChange={(chosen) => {
                  setRule({ ...rule, [name]: unit === 's' ? Math.round(chosen * 1000) : chosen });
                  setLastCut(null);
                }}
              />
            </div>
          );
        })}
      </div>
      <div className={css['act']}>
        {pyramid === null ? (
          <output className="inline gap-8">
            <Spinner />
            {t('editor.silence.reading')}
          </output>
        ) : (
          <output className={css['found']}>
            {justCut !== null
              ? t('editor.silence.justCut', { count: justCut.count, time: lengthClock(justCut.lengthMs) })
              : found.length === 0
                ? t('editor.silence.none')
                : t('editor.silence.found', { count: found.length, time: lengthClock(lengthOf(found)) })}
          </output>
        )}
        <div className={css['actions']}>
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
        {(found.length > 0 || justCut !== null) && <p>{t('editor.silence.hint')}</p>}
        {cuts.length > 0 && (
          <>
            {(justCut === null || lengthOf(cuts) !== justCut.lengthMs) && (
              <p>{t('editor.silence.done', { count: cuts.length, time: lengthClock(lengthOf(cuts)) })}</p>
            )}
            <Button
              icon={Undo2}
              onPress={() => {
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
