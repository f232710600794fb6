import { captureRate, type CaptureFrame, type EndFrames } from './capture-frame.ts';
// oxlint-disable-next-line import/default -- the bundler answers with the address of a script of its own
import workletUrl from './capture-worklet.ts?worker&url';
import type { DetectSpeech } from './speech-worker.ts';

export type MicrophoneTrouble = 'denied' | 'absent' | 'busy' | 'gone';

export interface Microphone {
  readonly device: string;
  finish(): Promise<void>;
  close(): void;
}

export interface MicrophoneListener {
  onFrame(frame: CaptureFrame): void;
  onGone(): void;
}

/** Without permission the browser reveals no names. */
export async function listMicrophones() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId, label }) => kind === 'audioinput' && label !== '' && deviceId !== 'communications')
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** An audio thread answers within two of its blocks; a busy one takes longer. */
export const longestFinishMs = 300;

/** Shared by all microphones of this page, because creating it takes too long to wait for. */
let detecting: Worker | null = null;

function throughDetector(frames: MessagePort): MessagePort {
  detecting ??= new Worker(new URL('./speech-worker.ts', import.meta.url), { type: 'module', name: 'speech' });
  const { port1: page, port2: outside } = new MessageChannel();
  detecting.postMessage({ frames, page } satisfies DetectSpeech, [frames, page]);
  return outside;
}

export async function openMicrophone(
  wanted: string,
  listener: MicrophoneListener,
  /** Samples a second; cloning a voice needs more than recognising words. */
  sampleRate = captureRate,
): Promise<Microphone | MicrophoneTrouble> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia(await constraintsFor(wanted));
  } catch (error) {
    return troubleOf(error);
  }
  const [track] = stream.getAudioTracks();
  const context = new AudioContext({ sampleRate, latencyHint: 'interactive' });
  let isClosed = false;
  let frames: MessagePort | null = null;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    frames?.postMessage('close' satisfies EndFrames);
    for (const one of stream.getTracks()) one.stop();
    void context.close();
  };
  const finished = Promise.withResolvers<void>();
  try {
    await context.audioWorklet.addModule(workletUrl);
    const node = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    // The detector's network expects the rate of dictation.
    frames = sampleRate === captureRate ? throughDetector(node.port) : node.port;
    frames.addEventListener('message', ({ data }: MessageEvent<CaptureFrame | null>) => {
      if (data === null) finished.resolve();
      else if (!isClosed) listener.onFrame(data);
    });
    frames.start();
    context.createMediaStreamSource(stream).connect(node);
    await context.resume();
  } catch {
    close();
    return 'busy';
  }
  track?.addEventListener('ended', () => {
    if (isClosed) return;
    close();
    listener.onGone();
  });
  const finish = async (): Promise<void> => {
    frames?.postMessage('finish' satisfies EndFrames);
    // A removed device ends its thread, which then never answers.
    setTimeout(finished.resolve, longestFinishMs);
    await finished.promise;
    close();
  };
  return { device: track?.label ?? '', close, finish };
}

async function constraintsFor(wanted: string): Promise<MediaStreamConstraints> {
  const found = wanted === '' ? undefined : (await listMicrophones()).find(({ label }) => label === wanted);
  const how = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true };
  return { audio: found === undefined ? how : { ...how, deviceId: { exact: found.id } } };
}

function troubleOf(error: unknown): MicrophoneTrouble {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'absent' : 'busy';
}
