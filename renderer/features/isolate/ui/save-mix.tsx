import { CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import { highestPeakDb, type Listening } from '../../../audio/compare/compare-measures.ts';
import type { MixLevels } from '../../../audio/compare/mix-worker.ts';
import { renderMix } from '../../../audio/compare/render-mix.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';
import css from './blend.module.css';
import { decibels } from './lane-words.ts';
import type { Comparison } from './use-comparison.ts';
import { mixRequest } from './use-mix-levels.ts';

type Format = 'wav' | 'flac' | 'mp3';
type Content = Extract<Listening, { readonly tag: 'blend' }> | { readonly tag: 'removed' };

/** Saves the blend, or what was removed, in one of three formats. */
export function SaveMix({
  comparison,
  content,
  loweredDb = 0,
  onSaved,
}: {
  readonly comparison: Comparison;
  readonly content: Content;
  /** By how much it is saved quieter. */
  readonly loweredDb?: number;
  readonly onSaved?: (levels: MixLevels) => void;
}) {
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

/** Mixes both recordings and writes the file. */
function useSaveMix(comparison: Comparison, content: Content, onSaved?: (levels: MixLevels) => void) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
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
    if (ended.ok) return;
    const isOurs = ended.error.code === 'stream_cancelled' || ended.error.code === 'stream_broken';
    showToast({ icon: CircleAlert, text: isOurs ? t('isolate.compare.mixFailed') : words(ended.error).text });
  };
  return { saving, save };
}
