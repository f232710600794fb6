import type { Plugin } from 'vite';

const unused = new Set(['ajv/dist/2020.js', 'ajv-formats']);
const standIn = `export class Ajv2020 {
  constructor() { throw new Error('Settings are checked by their own schema; electron-store is given none.'); }
}
export default Ajv2020;`;

/**
 * electron-store can check its file by `ajv`, which makes code from text (S-03). The settings have a schema of their own
 * and are checked before electron-store opens them, so neither that library nor its formats are shipped, or read at each
 * start. Whoever hands electron-store a schema hears of it.
 */
export const noSchemaCompiler = (): Plugin => ({
  name: 'no-schema-compiler',
  enforce: 'pre',
  resolveId: (id) => (unused.has(id) ? '\0no-schema-compiler' : null),
  load: (id) => (id === '\0no-schema-compiler' ? standIn : null),
});
