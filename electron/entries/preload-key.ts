import { contextBridge, ipcRenderer } from 'electron';
import type {
  keyChannel as KeyChannel,
  KeyMessage,
  KeyEntryBridge,
  KeySubmitAnswer,
  KeyWindowWords,
} from '../ipc/key-entry.ts';

const channel: typeof KeyChannel = 'studio:key';
const send = (message: KeyMessage): Promise<unknown> => ipcRenderer.invoke(channel, message);

const keyEntry: KeyEntryBridge = {
  words: () => send({ type: 'words' }) as Promise<KeyWindowWords>,
  submitKey: (value) => send({ type: 'submit', value }) as Promise<KeySubmitAnswer>,
  cancel: () => void send({ type: 'cancel' }),
};

contextBridge.exposeInMainWorld('keyEntry', Object.freeze(keyEntry));
