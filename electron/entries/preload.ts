import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { channels as Channels, StudioBridge } from '../ipc/bridge.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';

const channels: typeof Channels = {
  request: 'studio:request',
  fileToken: 'studio:file-token',
  event: 'studio:event',
  stream: 'studio:stream',
  streamPort: 'studio:stream-port',
};
const notOnDisk: Failure = {
  kind: 'file-unreadable',
  row: 'E-010',
  code: 'file_not_on_disk',
  outcome: 'not_sent',
  layer: 'local',
  retry: 'never',
  scope: 'item',
  envelope: 'none',
};

/** Only genuine presses, keys and drops count; the browser does not mark events from scripts as trusted (S-15). */
const sameActivationMs = 300;
const activationLivesMs = 5_000;
let activation = 0;
for (const type of ['pointerup', 'click', 'keydown', 'drop']) {
  globalThis.addEventListener(
    type,
    (event) => {
      const now = Date.now();
      const isRepeat = 'repeat' in event && event.repeat === true;
      if (event.isTrusted && !isRepeat && now - activation > sameActivationMs) activation = now;
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

// A port cannot cross the context bridge; only a message to the window itself carries it into the page's world.
ipcRenderer.on(channels.streamPort, (event, nonce: string) => {
  globalThis.postMessage({ streamPort: nonce }, globalThis.location.origin, event.ports);
});

const studio: StudioBridge = {
  request: ask,
  on(event, listener) {
    const receive = (_event: unknown, message: EventMessage) => {
      if (message.event === event) listener(message.payload);
    };
    ipcRenderer.on(channels.event, receive);
    return () => void ipcRenderer.off(channels.event, receive);
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
