const { contextBridge, ipcRenderer, webUtils } = require('electron');

contextBridge.exposeInMainWorld('fixture', {
  echo: (value) => ipcRenderer.invoke('echo', value),
  sender: () => ipcRenderer.invoke('sender'),
  fails: () => ipcRenderer.invoke('fails'),
  unknown: () => ipcRenderer.invoke('no-such-channel'),
  pathOf: (file) => webUtils.getPathForFile(file),
  add: (a, b) => a + b,
  nested: { list: [1, { deep: true }] },
  portToMain: (tell) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event) => tell(event.data);
    port1.postMessage('first');
    ipcRenderer.postMessage('port-from-page', { note: 1 }, [port2]);
  },
});

const symbol = Symbol('fixture');
const loop = { value: 135 };
loop.loop = loop;
contextBridge.exposeInMainWorld('bridged', {
  loop,
  symbol,
  own: (value) => value === symbol,
  keyed: () => ({ [symbol]: 123 }),
  same: (value) => value,
  alike: (one, other) => one === other,
  prototype: (value) => [Object.getPrototypeOf(value) === Object.prototype, Object.hasOwn(value, '__proto__')],
  getter: () => ({
    get bad() {
      throw new Error('a getter broke');
    },
  }),
  throws: () => {
    throw new TypeError('it broke');
  },
  throwsText: () => {
    throw 'text';
  },
  uncloneable: () => Object(Symbol('x')),
  rejects: async () => {
    throw Object(Symbol('x'));
  },
});
