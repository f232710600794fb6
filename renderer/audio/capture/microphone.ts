import { captureRate, type CaptureFrame } from './capture-frame.ts';
// oxlint-disable-next-line import/default -- the bundler answers with the address of a script of its own
import workletUrl from './capture-worklet.ts?worker&url';

/** Why there is no sound: nobody allowed it, there is no microphone, another program has it, or it went away. */
export type MicrophoneTrouble = 'denied' | 'absent' | 'busy' | 'gone';

export interface Microphone {
  /** As the system names it. */
  readonly device: string;
  close(): void;
}

export interface MicrophoneListener {
  onFrame(frame: CaptureFrame): void;
  /** Unplugged, taken by another program or switched off: no frame comes any more. */
  onGone(): void;
}

export interface InputDevice {
  readonly id: string;
  readonly label: string;
}

/** Microphones by their names; without permission nobody is told names. */
export async function listMicrophones(): Promise<readonly InputDevice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId, label }) => kind === 'audioinput' && label !== '' && deviceId !== 'communications')
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Opens a microphone by its name, or the system's own choice when it is not there. */
export async function openMicrophone(
  wanted: string,
  listener: MicrophoneListener,
  /** Samples a second; a voice that is cloned wants more than words that are recognised. */
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
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    for (const one of stream.getTracks()) one.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(workletUrl);
    const node = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    node.port.addEventListener('message', ({ data }: MessageEvent<CaptureFrame>) => {
      if (!isClosed) listener.onFrame(data);
    });
    node.port.start();
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
  return { device: track?.label ?? '', close };
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
