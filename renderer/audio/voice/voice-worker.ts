import { checkRecording } from '../../../shared/domain/voices/check-recording.ts';
import type { Stretch, VoiceAnswer, VoiceQuestion } from './read-voice.ts';
import { joinSamples, toMono } from '../samples.ts';
import { openTrack } from '../track-reader.ts';
import { workerScope } from '../../lib/worker-scope.ts';

const worker = workerScope<VoiceQuestion, VoiceAnswer>();

/** Nobody searches for half a minute in more than this. */
const mostSeconds = 600;
/** The maximum upload holds half a minute at this rate; a higher one adds nothing about a voice. */
const mostRate = 48_000;
const barsPerSecond = 20;

let samples = new Float32Array();
let rate = mostRate;

async function open(url: string): Promise<void> {
  const track = await openTrack(url);
  rate = Math.min(track.sampleRate, mostRate);
  const parts: Float32Array[] = [];
  let frames = 0;
  for await (const planes of track.read(0, rate)) {
    parts.push(toMono(planes));
    frames += planes[0]?.length ?? 0;
    if (frames > mostSeconds * rate) break;
  }
  const isCut = frames > mostSeconds * rate;
  samples = joinSamples(parts);
  if (samples.length === 0) throw new Error('The decoder gave no sound');
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
