import { contextBridge, ipcRenderer } from 'electron';
import type { keyChannel as KeyChannel, KeyMessage, KeySubmitAnswer, KeyWindowWords } from '../ipc/key-messages.ts';

const channel: typeof KeyChannel = 'studio:key';
const send = (message: KeyMessage): Promise<unknown> => ipcRenderer.invoke(channel, message);

const keyEntry = {
  words: () => send({ type: 'words' }) as Promise<KeyWindowWords>,
  submitKey: (value: string) => send({ type: 'submit', value }) as Promise<KeySubmitAnswer>,
  cancel: () => void send({ type: 'cancel' }),
};

/** All that the key window's page can reach. */
export type KeyEntryBridge = typeof keyEntry;

contextBridge.exposeInMainWorld('keyEntry', Object.freeze(keyEntry));
