import { captureRate, frameSamples, type CaptureFrame } from '../../../audio/capture/capture-frame.ts';
import {
  longestFinishMs,
  openMicrophone,
  type Microphone,
  type MicrophoneListener,
} from '../../../audio/capture/microphone.ts';
import type { StudioClient } from '../../../bridge/client.ts';

/** How much audio before the key press is kept: people begin to speak while they press it. */
const preRollMs = 500;
const mostFrames = Math.ceil((preRollMs * captureRate) / 1000 / frameSamples);

interface Warm {
  readonly device: string;
  readonly microphone: Microphone;
  readonly close: () => void;
}

/** A microphone that is on before it is needed, with the last half second of audio. */
export function createWarmMicrophone(studio: StudioClient) {
  let wanted: string | null = null;
  let warm: Warm | null = null;
  let ring: CaptureFrame[] = [];
  /** After the press nothing is discarded until the take begins. */
  let isHeld = false;
  let listener: MicrophoneListener | null = null;
  let opening = Promise.resolve();
  /** A take that ends waits for the frame that was being filled. */
  let onNext: () => void = () => undefined;

  const close = (): void => {
    warm?.close();
    warm = null;
    ring = [];
  };

  const onFrame = (frame: CaptureFrame): void => {
    if (listener !== null) {
      listener.onFrame(frame);
      onNext();
      return;
    }
    ring.push(frame);
    if (!isHeld && ring.length > mostFrames) ring.shift();
  };
  const onGone = (): void => {
    close();
    listener?.onGone();
    listener = null;
  };

  const open = async (device: string): Promise<void> => {
    // Main grants the microphone only while a stream declares its use.
    const stream = await studio.open('dictation.ready', {});
    if (!stream.ok) return;
    const microphone = await openMicrophone(device, { onFrame, onGone });
    if (typeof microphone === 'string' || wanted !== device) {
      if (typeof microphone !== 'string') microphone.close();
      stream.value.finish();
      return;
    }
    const end = (): void => {
      microphone.close();
      stream.value.finish();
    };
    warm = { device, microphone, close: end };
  };

  return {
    /** One after another, so that a quick change leaves no microphone on. */
    keep(device: string | null): Promise<void> {
      wanted = device;
      opening = opening.then(async () => {
        if (warm?.device === wanted || listener !== null) return;
        close();
        if (wanted !== null) await open(wanted);
      });
      return opening;
    },
    /**
     * The key was pressed: audio from now on belongs to the take, together with the buffered part. False: this
     * microphone is not on yet.
     */
    hold(device: string): boolean {
      isHeld = true;
      return warm?.device === device;
    },
    /** Hands the running microphone to a take, with its buffered audio first. Closing the take leaves it on. */
    take(device: string, taker: MicrophoneListener): Microphone | null {
      if (warm === null || warm.device !== device) return null;
      listener = taker;
      for (const frame of ring.splice(0)) taker.onFrame(frame);
      const finish = async (): Promise<void> => {
        const { promise, resolve } = Promise.withResolvers<void>();
        onNext = resolve;
        setTimeout(resolve, longestFinishMs);
        await promise;
      };
      return { device: warm.microphone.device, close: () => undefined, finish };
    },
    /** The take is over. */
    rest(): void {
      listener = null;
      isHeld = false;
      ring = [];
      // Another one may have been chosen meanwhile, or none.
      if (warm?.device !== wanted) void this.keep(wanted);
    },
  };
}
