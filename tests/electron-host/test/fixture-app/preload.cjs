const { contextBridge, ipcRenderer, webUtils } = require('electron');
const { EventEmitter } = require('events');

const listeners = new EventEmitter();
ipcRenderer.on('to-page', (_event, ...args) => listeners.emit('message', ...args));
ipcRenderer.on('port-to-page', (event) => window.postMessage('port', '*', event.ports));

contextBridge.exposeInMainWorld('fixture', {
  echo: (value) => ipcRenderer.invoke('echo', value),
  sender: () => ipcRenderer.invoke('sender'),
  fails: () => ipcRenderer.invoke('fails'),
  unknown: () => ipcRenderer.invoke('no-such-channel'),
  send: (...args) => ipcRenderer.send('from-page', ...args),
  sync: (value) => ipcRenderer.sendSync('sync', value),
  onMessage: (listener) => {
    listeners.on('message', listener);
    return () => listeners.off('message', listener);
  },
  pathOf: (file) => webUtils.getPathForFile(file),
  add: (a, b) => a + b,
  call: (fn) => fn(20) + 1,
  later: async (value) => value,
  throws: () => {
    throw new RangeError('from the preload');
  },
  nested: { list: [1, { deep: true }] },
  portToMain: () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event) => listeners.emit('message', 'port', event.data);
    port1.postMessage('first');
    ipcRenderer.postMessage('port-from-page', { note: 1 }, [port2]);
  },
  preloadGlobals: {
    process: process.type,
    sandboxed: process.sandboxed,
    argv: process.argv.includes('--fixture-argument'),
  },
});
