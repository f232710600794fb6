import { checkRecording } from '../../../shared/domain/voices/check-recording.ts';
import { Resampler } from '../../../shared/domain/media/resample.ts';
import { chooseEngine, engines } from '../../../shared/decoding/choose-engine.ts';
import type { DecodedAudio } from '../../../shared/decoding/decoded-audio.ts';
import { decodeWebCodecs } from '../decoding/decode-webcodecs.ts';
import { fetchSource } from '../decoding/fetch-source.ts';
import type { Stretch, VoiceAnswer, VoiceQuestion } from './read-voice.ts';
import { joinSamples } from '../samples.ts';
import { workerScope } from '../../lib/worker-scope.ts';

const worker = workerScope<VoiceQuestion, VoiceAnswer>();

/** Nobody searches for half a minute in more than this. */
const mostSeconds = 600;
/** The maximum upload holds half a minute at this rate; a higher one adds nothing about a voice. */
const mostRate = 48_000;
const barsPerSecond = 20;

let samples = new Float32Array();
let rate = mostRate;

async function decode(blocks: AsyncIterable<DecodedAudio>): Promise<boolean> {
  const parts: Float32Array[] = [];
  let resampler: Resampler | null = null;
  let frames = 0;
  let isCut = false;
  for await (const block of blocks) {
    rate = Math.min(block.sampleRate, mostRate);
    resampler ??= block.sampleRate > mostRate ? new Resampler(block.sampleRate, mostRate) : null;
    const mono = new Float32Array(block.frames);
    for (const channel of block.channels)
      for (let at = 0; at < block.frames; at += 1)
        mono[at] = (mono[at] ?? 0) + (channel[at] ?? 0) / block.channels.length;
    parts.push(resampler === null ? mono : resampler.push(mono));
    frames += block.frames;
    isCut = frames > mostSeconds * block.sampleRate;
    if (isCut) break;
  }
  if (resampler !== null) parts.push(resampler.flush());
  samples = joinSamples(parts);
  if (samples.length === 0) throw new Error('The decoder gave no sound');
  return isCut;
}

async function open(url: string): Promise<void> {
  const source = fetchSource(url);
  const engine = await chooseEngine(source);
  const byBrowser = () => decode(decodeWebCodecs(source));
  const isCut = await (engine === null ? byBrowser() : decode(engines[engine](source)).catch(byBrowser));
  const frame = Math.round(rate / barsPerSecond);
  const bars = Float32Array.from({ length: Math.ceil(samples.length / frame) }, (_, bar) => {
    let peak = 0;
    for (let at = bar * frame; at < (bar + 1) * frame; at += 1) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    return Math.min(1, peak);
  });
  const durationMs = Math.round((samples.length * 1000) / rate);
  worker.postMessage({ kind: 'opened', durationMs, bars, isCut }, [bars.buffer]);
}

const stretchOf = ({ fromMs, toMs }: Stretch): Float32Array =>
  samples.subarray(Math.round((fromMs * rate) / 1000), Math.round((toMs * rate) / 1000));

worker.addEventListener('message', ({ data }) => {
  if (data.kind === 'open') {
    open(data.url).catch(() => worker.postMessage({ kind: 'failed' }));
  } else if (data.kind === 'check') {
    const check = checkRecording(stretchOf(data.stretch), rate, data.range);
    worker.postMessage({ kind: 'checked', number: data.number, check });
  } else {
    const pcm = Int16Array.from(stretchOf(data.stretch), (sample) =>
      Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))),
    );
    worker.postMessage({ kind: 'cut', number: data.number, pcm, sampleRate: rate }, [pcm.buffer]);
  }
});
