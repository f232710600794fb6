// What require('electron') and import 'electron' find in a utility process.
const { networkInterfaces } = require('node:os');
const isOnline = () => Object.values(networkInterfaces()).some((all) => all.some(({ internal }) => !internal));
exports.net = {
  isOnline,
  get online() {
    return isOnline();
  },
  fetch: (...args) => fetch(...args),
};
