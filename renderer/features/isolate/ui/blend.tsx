import { CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import { highestPeakDb, mixGains, peakGain } from '../../../audio/compare/compare-measures.ts';
import { renderMix } from '../../../audio/compare/render-mix.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Range } from '../../../ui/range.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';
import css from './compare.module.css';
import { decibels } from './lane-words.ts';
import type { Comparison } from './use-comparison.ts';

type BlendFormat = 'wav' | 'flac' | 'mp3';

type Urls = Readonly<Record<'original' | 'isolated', string>>;

/**
 * Chooses how much of the isolated audio is heard, and saves the blend, or what was removed, as a file. Mixing happens
 * on this computer and is free.
 */
export function Blend({
  audioId,
  urls,
  comparison,
}: {
  readonly audioId: string;
  readonly urls: Urls;
  readonly comparison: Comparison;
}) {
  const t = useText();
  const formats = useFormats();
  const { listening, setListening, pair, isMatched } = comparison;
  const { saving, save } = useSaveBlend(audioId, urls, comparison);
  if (listening.tag !== 'blend' && listening.tag !== 'removed') return null;
  const isNoise = listening.tag === 'removed';
  const loweredDb = 20 * Math.log10(peakGain(mixGains(listening, pair.measures, isMatched), pair.measures));
  const words =
    listening.tag === 'blend'
      ? t('isolate.compare.blendShare', {
          isolated: formats.percent(listening.share + 1e-9),
          original: formats.percent(1 - listening.share + 1e-9),
        })
      : t('isolate.compare.noiseHint');
  return (
    <div className={css['blend']}>
      {listening.tag === 'blend' && (
        <Range
          label={t('isolate.compare.blend')}
          value={Math.round(listening.share * 100)}
          min={0}
          max={100}
          step={1}
          valueText={words}
          onChange={(percent) => {
            setListening({ tag: 'blend', share: percent / 100 });
          }}
        />
      )}
      <output>
        {saving === null ? words : t('isolate.compare.mixing', { percent: formats.percent(saving.share) })}
        {saving === null && loweredDb < -0.05 && (
          <small>
            {t('isolate.compare.mixLowered', {
              value: decibels(formats, -loweredDb),
              most: decibels(formats, highestPeakDb),
            })}
          </small>
        )}
      </output>
      <div className={css['formats']}>
        <span className={css['saveAs']}>{t(isNoise ? 'isolate.compare.saveNoise' : 'isolate.compare.saveBlend')}</span>
        {(['wav', 'flac', 'mp3'] as const).map((format) => (
          <Button
            key={format}
            size="sm"
            icon={Download}
            label={t(isNoise ? 'isolate.compare.saveNoiseAs' : 'isolate.compare.saveMix', {
              format: format.toUpperCase(),
            })}
            isLoading={saving?.format === format}
            isDisabled={pair.measures === null || saving !== null}
            onPress={() => void save(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Mixes both recordings at the chosen ratio and writes the file. */
function useSaveBlend(audioId: string, urls: Urls, { pair, listening, isMatched }: Comparison) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const [saving, setSaving] = useState<{ readonly format: BlendFormat; readonly share: number } | null>(null);
  const save = async (format: BlendFormat) => {
    const opened = await studio.open('isolation.saveMix', {
      audioId,
      format,
      content: listening.tag === 'removed' ? 'noise' : 'blend',
    });
    if (!opened.ok) {
      showToast({ icon: CircleAlert, text: words(opened.error).text });
      return;
    }
    const stream = opened.value;
    let truePeakDb: number | null = null;
    for await (const answer of stream.incoming) {
      if (answer.kind === 'saved') {
        const { revealToken } = answer;
        showToast({
          icon: Download,
          text:
            truePeakDb === null
              ? t('isolate.results.saved', { name: answer.savedAs })
              : t('isolate.compare.mixSaved', { name: answer.savedAs, value: decibels(formats, truePeakDb) }),
          action: { text: t('isolate.results.show'), onPress: () => void store.reveal(revealToken) },
        });
        continue;
      }
      setSaving({ format, share: 0 });
      const gains = mixGains(listening, pair.measures, isMatched);
      const lowered = peakGain(gains, pair.measures);
      const request = {
        ...urls,
        gains: [gains[0] * lowered, gains[1] * lowered, gains[2] * lowered] as const,
        offsetMs: pair.measures?.isolated.offsetMs ?? 0,
      };
      const mixed = await renderMix(request, (bytes, share) => {
        setSaving({ format, share });
        return stream.send(bytes);
      });
      truePeakDb = mixed?.truePeakDb ?? null;
      if (mixed === null) stream.cancel();
      else stream.finish();
    }
    const ended = await stream.ended;
    setSaving(null);
    if (ended.ok) return;
    const isOurs = ended.error.code === 'stream_cancelled' || ended.error.code === 'stream_broken';
    showToast({ icon: CircleAlert, text: isOurs ? t('isolate.compare.mixFailed') : words(ended.error).text });
  };
  return { saving, save };
}
