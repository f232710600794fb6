import type { Failure } from '../../../shared/result/failure.ts';
import {
  mixOf,
  peakGain,
  type CompareMeasures,
  type Listening,
  type Mix,
  type TrackUrls,
} from '../../audio/compare/compare-measures.ts';
import { measurePair } from '../../audio/compare/measure-pair.ts';
import { renderMix } from '../../audio/compare/compare-orders.ts';
import { absoluteUrl } from '../../audio/samples.ts';
import type { StudioClient } from '../../bridge/client.ts';
import type { IsolatedAudio, Settings } from '../../bridge/types.ts';

export type IsolationResult =
  | { readonly tag: 'isolated' | 'variant' | 'removed' }
  | Extract<Listening, { readonly tag: 'blend' }>;

interface WantedMix {
  readonly audioId: string;
  readonly format: Settings['isolatedFormat'] | 'video';
  readonly result: IsolationResult;
  readonly urls: TrackUrls;
  readonly measures: CompareMeasures | null;
  /** Of the folder for it; null asks for a file. */
  readonly placeToken: string | null;
}

/** `not-mixed`: here, where the files were read. */
type MixOutcome =
  | { readonly tag: 'saved'; readonly name: string; readonly revealToken: string }
  | { readonly tag: 'failed'; readonly failure: Failure }
  | { readonly tag: 'not-saved' | 'not-mixed' };

/** Saves a result that begins where the original does and is as long. */
export async function saveMix(
  studio: StudioClient,
  { audioId, format, result, urls, measures, placeToken }: WantedMix,
  onShare: (share: number, stop: () => void) => void,
): Promise<MixOutcome> {
  const opened = await studio.open('isolation.saveMix', {
    audioId,
    format,
    content: result.tag === 'variant' ? 'isolated' : result.tag,
    percent: result.tag === 'blend' ? Math.round(result.share * 100) : 100,
    placeToken,
  });
  if (!opened.ok) return { tag: 'failed', failure: opened.error };
  const stream = opened.value;
  let isStopped = false;
  const show = (share: number) =>
    onShare(share, () => {
      isStopped = true;
      stream.cancel();
    });
  let saved: MixOutcome | null = null;
  for await (const answer of stream.incoming) {
    // Of a video, mixing is the first half.
    if (answer.kind === 'writing') show(0.5 + answer.share / 2);
    if (answer.kind === 'saved') saved = { tag: 'saved', name: answer.savedAs, revealToken: answer.revealToken };
    if (answer.kind !== 'chosen') continue;
    show(0);
    const isMixed = await renderMix(loweredMix(urls, measures, result), (bytes, share) => {
      if (!isStopped) show(format === 'video' ? share / 2 : share);
      return stream.send(bytes);
    });
    if (isMixed) stream.finish();
    else stream.cancel();
  }
  const ended = await stream.ended;
  if (saved !== null) return saved;
  if (ended.ok || isStopped) return { tag: 'not-saved' };
  const isOurs = ended.error.code === 'stream_cancelled' || ended.error.code === 'stream_broken';
  return isOurs ? { tag: 'not-mixed' } : { tag: 'failed', failure: ended.error };
}

/** Only a sum can clip. */
function loweredMix(urls: TrackUrls, measures: CompareMeasures | null, result: IsolationResult): Mix {
  const mix = mixOf(urls, measures, result);
  const [original, isolated] = mix.gains;
  const lowered = original === 0 ? 1 : peakGain(mix.gains, measures);
  return { ...mix, gains: [original * lowered, isolated * lowered] };
}

/** What is compared, and its name; null without the isolated audio, which stands in for a missing original. */
export function comparedOf(
  audio: Pick<IsolatedAudio, 'audioId' | 'original' | 'isolated' | 'variant'>,
): { readonly name: string; readonly urls: TrackUrls } | null {
  // Workers have other base addresses.
  const absolute = (url: string | null | undefined) => (url ? absoluteUrl(url) : null);
  const [original, isolated] = [absolute(audio.original.url), absolute(audio.isolated.url)];
  const variant = absolute(audio.variant?.url);
  const name = `${audio.audioId} ${String(variant !== null)} ${String(original !== null)}`;
  return isolated === null ? null : { name, urls: { original: original ?? isolated, isolated, variant } };
}

/** Null where they can't be read. */
export async function measuresOf(name: string, urls: TrackUrls): Promise<CompareMeasures | null> {
  const { promise, resolve } = Promise.withResolvers<CompareMeasures | null>();
  const measuring = measurePair(name, urls, ({ status, measures }) => {
    if (status !== 'measuring') resolve(measures);
  });
  const measures = await promise;
  measuring.stop();
  return measures;
}
