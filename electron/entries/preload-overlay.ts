import { contextBridge, ipcRenderer } from 'electron';
import type { overlayChannel as OverlayChannel, OverlayBridge, OverlayView } from '../ipc/overlay.ts';

const channel: typeof OverlayChannel = 'studio:overlay';

const overlay: OverlayBridge = {
  onView: (show) => {
    ipcRenderer.on(channel, (_event, view: OverlayView) => show(view));
  },
  send: (message) => void ipcRenderer.invoke(channel, message),
};

contextBridge.exposeInMainWorld('overlay', Object.freeze(overlay));
