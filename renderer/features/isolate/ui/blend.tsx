import { CircleAlert, Download } from 'lucide-react';
import { useState, useEffect } from 'react';
import { mixGains, peakGain, highestPeakDb, type Listening } from '../../../audio/compare/compare-measures.ts';
import type { MixLevels, MixRequest } from '../../../audio/compare/mix-worker.ts';
import { renderMix } from '../../../audio/compare/render-mix.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Range } from '../../../ui/range.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-store.ts';
import css from './blend.module.css';
import { decibels, type Comparison, usePlayerState } from './use-comparison.ts';

/** A blend of this length is mixed in about a second; that of a longer recording is measured when it is saved. */
const longestMeasuredMs = 120_000;

const settledMs = 500;

/** Of silence, and of what could not be mixed. */
const unmeasured: MixLevels = { integratedLufs: null, truePeakDb: null };

/** Chooses how much of the isolated audio is in the blend, and saves it. Mixing happens on this computer and is free. */
export function Blend({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const formats = useFormats();
  const { share, setListening, pair } = comparison;
  const blend = { tag: 'blend', share } as const;
  const { levels, isMeasuring, isShort, setSaved } = useMixLevels(comparison);
  const loweredDb = 20 * Math.log10(peakGain(mixGains(blend, pair.measures, false), pair.measures));
  const words = t('isolate.compare.blendShare', {
    isolated: formats.percent(share + 1e-9),
    original: formats.percent(1 - share + 1e-9),
  });
  const choose = (percent: number) => setListening({ tag: 'blend', share: percent / 100 });
  const levelOf = (value: number | null | undefined, kind: 'loudness' | 'peak') => {
    if (value === null) return '–';
    if (value !== undefined) return t(`isolate.compare.${kind}`, { value: decibels(formats, value) });
    return t(`isolate.compare.${isMeasuring ? 'measuring' : isShort ? 'whenHeard' : 'whenSaved'}`);
  };
  return (
    <InspectorSection title={t('isolate.compare.blend')}>
      <div className={css['share']}>
        <Percent value={Math.round(share * 100)} onChange={choose} />
        <output className={css['words']}>{words}</output>
      </div>
      <Range
        label={t('isolate.compare.blend')}
        value={Math.round(share * 100)}
        min={0}
        max={100}
        step={1}
        valueText={words}
        onChange={choose}
      />
      <div aria-hidden className={css['ends']}>
        <span>{t('isolate.compare.original')}</span>
        <span>{t('isolate.compare.isolated')}</span>
      </div>
      <FactList
        areFigures
        facts={[
          { label: t('isolate.compare.loudnessLabel'), value: levelOf(levels?.integratedLufs, 'loudness') },
          { label: t('isolate.compare.peakLabel'), value: levelOf(levels?.truePeakDb, 'peak') },
        ]}
      />
      <SaveMix comparison={comparison} content={blend} loweredDb={loweredDb} onSaved={setSaved} />
      <p className={css['free']}>{t('isolate.compare.blendHint')}</p>
    </InspectorSection>
  );
}

export function NoiseOnly({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  return (
    <InspectorSection title={t('isolate.compare.removed')}>
      <p className={css['words']}>{t('isolate.compare.noiseHint')}</p>
      <SaveMix comparison={comparison} content={{ tag: 'removed' }} />
    </InspectorSection>
  );
}

/** A share as a number that can be typed; what is no number from 0 to 100 is put back. */
function Percent({ value, onChange }: { readonly value: number; readonly onChange: (percent: number) => void }) {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <span className={css['percent']}>
      <input
        type="number"
        min={0}
        max={100}
        step={1}
        aria-label={t('isolate.compare.percent')}
        className={css['number']}
        value={typed ?? String(value)}
        onChange={({ currentTarget: field }) => {
          setTyped(field.value);
          if (field.value !== '' && field.validity.valid) onChange(field.valueAsNumber);
        }}
        onBlur={() => setTyped(null)}
      />
      <span aria-hidden>%</span>
    </span>
  );
}

type Format = 'wav' | 'flac' | 'mp3';

type Content = Extract<Listening, { readonly tag: 'blend' }> | { readonly tag: 'removed' };

function SaveMix(props: {
  readonly comparison: Comparison;
  readonly content: Content;
  readonly loweredDb?: number;
  readonly onSaved?: (levels: MixLevels) => void;
}) {
  const { comparison, content, loweredDb = 0, onSaved } = props;
  const t = useText();
  const formats = useFormats();
  const { saving, save } = useSaveMix(comparison, content, onSaved);
  const isNoise = content.tag === 'removed';
  return (
    <div className={css['save']}>
      <output className={css['words']}>
        {saving === null
          ? t(isNoise ? 'isolate.compare.saveNoise' : 'isolate.compare.saveBlend')
          : t('isolate.compare.mixing', { percent: formats.percent(saving.share) })}
      </output>
      <div className={css['formats']}>
        {(['wav', 'flac', 'mp3'] as const).map((format) => (
          <Button
            key={format}
            size="sm"
            icon={Download}
            label={t(isNoise ? 'isolate.compare.saveNoiseAs' : 'isolate.compare.saveMix', {
              format: format.toUpperCase(),
            })}
            isLoading={saving?.format === format}
            isDisabled={comparison.pair.measures === null || saving !== null}
            onPress={() => void save(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
      {loweredDb < -0.05 && (
        <p className={css['words']}>
          {t('isolate.compare.mixLowered', {
            value: decibels(formats, -loweredDb),
            most: decibels(formats, highestPeakDb),
          })}
        </p>
      )}
    </div>
  );
}

function useSaveMix(comparison: Comparison, content: Content, onSaved?: (levels: MixLevels) => void) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const [saving, setSaving] = useState<{ readonly format: Format; readonly share: number } | null>(null);
  const save = async (format: Format) => {
    const opened = await studio.open('isolation.saveMix', {
      audioId: comparison.audioId,
      format,
      blendPercent: content.tag === 'blend' ? Math.round(content.share * 100) : null,
    });
    if (!opened.ok) return showToast({ icon: CircleAlert, text: words(opened.error).text });
    const stream = opened.value;
    let truePeakDb: number | null = null;
    for await (const answer of stream.incoming) {
      if (answer.kind === 'saved') {
        const { revealToken } = answer;
        const name = answer.savedAs;
        showToast({
          icon: Download,
          text:
            truePeakDb === null
              ? t('isolate.results.saved', { name })
              : t('isolate.compare.mixSaved', { name, value: decibels(formats, truePeakDb) }),
          action: { text: t('isolate.results.show'), onPress: () => void store.ask('exports.reveal', { revealToken }) },
        });
        continue;
      }
      setSaving({ format, share: 0 });
      const mixed = await renderMix(mixRequest(comparison, content), (bytes, share) => {
        setSaving({ format, share });
        return stream.send(bytes);
      });
      truePeakDb = mixed?.truePeakDb ?? null;
      if (mixed === null) stream.cancel();
      else {
        onSaved?.(mixed);
        stream.finish();
      }
    }
    const ended = await stream.ended;
    setSaving(null);
    if (ended.ok) return undefined;
    const isOurs = ended.error.code === 'stream_cancelled' || ended.error.code === 'stream_broken';
    return showToast({ icon: CircleAlert, text: isOurs ? t('isolate.compare.mixFailed') : words(ended.error).text });
  };
  return { saving, save };
}

function mixRequest({ urls, pair: { measures } }: Comparison, content: Listening): MixRequest {
  const gains = mixGains(content, measures, false);
  const lowered = peakGain(gains, measures);
  return {
    original: urls.original,
    isolated: urls.isolated,
    gains: [gains[0] * lowered, gains[1] * lowered, gains[2] * lowered],
    offsetMs: measures?.isolated.offsetMs ?? 0,
  };
}

function useMixLevels(comparison: Comparison) {
  const { share, listening, pair, player } = comparison;
  const { durationMs } = usePlayerState(player);
  const [found, setFound] = useState<{ readonly share: number; readonly levels: MixLevels } | null>(null);
  const levels = found?.share === share ? found.levels : null;
  const isShort = durationMs <= longestMeasuredMs;
  const isMeasured = listening.tag === 'blend' && levels === null && pair.measures !== null && isShort;
  const { gains, original, isolated, offsetMs } = mixRequest(comparison, { tag: 'blend', share });
  const [originalGain, isolatedGain, variantGain] = gains;
  useEffect(() => {
    if (!isMeasured) return undefined;
    const scope = new Scope();
    scope.after(settledMs, () => {
      const request = { gains: [originalGain, isolatedGain, variantGain] as const, original, isolated, offsetMs };
      void renderMix(request, () => Promise.resolve(!scope.isDisposed)).then((mixed) => {
        if (!scope.isDisposed) setFound({ share, levels: mixed ?? unmeasured });
      });
    });
    return () => scope.dispose();
  }, [isMeasured, share, originalGain, isolatedGain, variantGain, original, isolated, offsetMs]);
  return {
    levels,
    isMeasuring: isMeasured,
    isShort,
    setSaved: (saved: MixLevels) => setFound({ share, levels: saved }),
  };
}
