import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { channels as Channels, StudioBridge } from '../../shared/ipc/derive.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import { askFirst } from './first-answers.ts';

const channels: typeof Channels = {
  request: 'studio:request',
  fileToken: 'studio:file-token',
  event: 'studio:event',
  stream: 'studio:stream',
  streamPort: 'studio:stream-port',
};
const notOnDisk: Failure = {
  row: 'E-010',
  code: 'file_not_on_disk',
  outcome: 'not_sent',
  layer: 'local',
  retry: 'never',
  scope: 'item',
  envelope: 'none',
};

interface Page {
  readonly location: { readonly origin: string };
  postMessage(message: object, origin: string, transfer: readonly unknown[]): void;
  addEventListener(
    type: string,
    listener: (event: { readonly isTrusted: boolean; readonly repeat?: boolean }) => void,
    isCapture: boolean,
  ): void;
}

const page = globalThis as unknown as Page;

/** Only genuine presses, keys and drops count; the browser does not mark events from scripts as trusted (S-15). */
const sameActivationMs = 300;
const activationLivesMs = 5_000;
let activation = 0;
for (const type of ['pointerup', 'click', 'keydown', 'drop']) {
  page.addEventListener(
    type,
    ({ isTrusted, repeat }) => {
      const now = Date.now();
      if (isTrusted && repeat !== true && now - activation > sameActivationMs) activation = now;
    },
    true,
  );
}
const lately = (): { readonly activation?: number } =>
  Date.now() - activation < activationLivesMs ? { activation } : {};

function pathOf(file: unknown): string {
  try {
    return webUtils.getPathForFile(file as File);
  } catch {
    return '';
  }
}

interface EventMessage {
  readonly event: string;
  readonly payload: unknown;
}

const ask = (method: string, input: unknown) =>
  ipcRenderer.invoke(channels.request, { method, input, ...lately() }) as Promise<Result<unknown>>;
const first = askFirst(ask);
ipcRenderer.on(channels.event, (_event: unknown, { event, payload }: EventMessage) => first.hear(event, payload));

// A port cannot cross the context bridge; only a message to the window itself carries it into the page's world.
ipcRenderer.on(channels.streamPort, (event, nonce: string) => {
  page.postMessage({ streamPort: nonce }, page.location.origin, event.ports);
});

const studio: StudioBridge = {
  request: (method, input) => first.take(method, input) ?? ask(method, input),
  on(event, listener) {
    let isWanted = true;
    const receive = (_event: unknown, message: EventMessage) => {
      if (message.event === event) listener(message.payload);
    };
    ipcRenderer.on(channels.event, receive);
    const heard = first.heard(event);
    queueMicrotask(() => {
      for (const payload of heard) if (isWanted) listener(payload);
    });
    return () => {
      isWanted = false;
      ipcRenderer.off(channels.event, receive);
    };
  },
  openStream: (stream, options, nonce) =>
    ipcRenderer.invoke(channels.stream, { stream, options, nonce, ...lately() }) as Promise<Result<unknown>>,
  async fileTokenFor(file) {
    const path = pathOf(file);
    if (path === '') return { ok: false, error: { ...notOnDisk, params: { name: (file as File | null)?.name ?? '' } } };
    return (await ipcRenderer.invoke(channels.fileToken, path)) as Result<string>;
  },
};

contextBridge.exposeInMainWorld('studio', Object.freeze(studio));
