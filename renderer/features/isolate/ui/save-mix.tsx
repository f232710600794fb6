import { CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import { mixGains } from '../../../audio/compare/compare-measures.ts';
import { renderMix } from '../../../audio/compare/render-mix.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';
import type { Comparison } from './use-comparison.ts';

/** Mixes the two as they are heard, on this computer, and writes the file that the person names. */
export function SaveMix({
  audioId,
  urls,
  comparison: { pair, listening, isMatched },
}: {
  readonly audioId: string;
  readonly urls: { readonly original: string; readonly isolated: string };
  readonly comparison: Comparison;
}) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const [share, setShare] = useState<number | null>(null);
  const save = async () => {
    const opened = await studio.open('isolation.saveMix', { audioId });
    if (!opened.ok) {
      showToast({ icon: CircleAlert, text: words(opened.error).text });
      return;
    }
    const stream = opened.value;
    for await (const answer of stream.incoming) {
      if (answer.kind === 'saved') {
        const { revealToken } = answer;
        showToast({
          icon: Download,
          text: t('isolate.results.saved', { name: answer.savedAs }),
          action: { text: t('isolate.results.show'), onPress: () => void store.reveal(revealToken) },
        });
        continue;
      }
      const request = {
        ...urls,
        gains: mixGains(listening, pair.measures, isMatched),
        offsetMs: pair.measures?.offsetMs ?? 0,
      };
      const isDone = await renderMix(request, (bytes, done) => {
        setShare(done);
        return stream.send(bytes);
      });
      setShare(null);
      if (isDone) stream.finish();
      else stream.cancel();
    }
    const ended = await stream.ended;
    if (ended.ok) return;
    const isOurs = ended.error.code === 'stream_cancelled' || ended.error.code === 'stream_broken';
    showToast({ icon: CircleAlert, text: isOurs ? t('isolate.compare.mixFailed') : words(ended.error).text });
  };
  return (
    <Button icon={Download} isLoading={share !== null} isDisabled={pair.measures === null} onPress={() => void save()}>
      {share === null ? t('isolate.compare.saveMix') : t('isolate.compare.mixing', { percent: formats.percent(share) })}
    </Button>
  );
}
