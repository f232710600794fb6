import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { makeCodec } from './codec.ts';
import { makeBridge } from './renderer/bridge.ts';
import { makeEmitter } from './renderer/emitter.ts';
import { runIsolated, type IsolatedConfig } from './renderer/isolated.ts';
import { runMainWorld } from './renderer/main-world.ts';

export const isolatedWorldName = 'Electron Isolated Context';
/** The name of the function in which the preload waits for a file's path. */
export const pathFunctionName = 'electronHostPathOf';

const parameters = 'exports, require, module, process, global, setImmediate, clearImmediate';

/** The text of a preload. Throws as Electron reports it when the file is missing or is not JavaScript. */
export function readPreload(file: string): string {
  const text = readFileSync(file, 'utf8').replace(/^#!.*/, '');
  // Compiled here, so that an error is reported with its line.
  void new Script(`(function (${parameters}) {\n${text}\n})`, { filename: file });
  return text;
}

/** The page's half of the bridge, as source for the page's own world. */
export function mainWorldSource(secret: string): string {
  return `(() => {\nconst makeBridge = ${makeBridge.toString()};\n(${runMainWorld.toString()})(${JSON.stringify(secret)}, makeBridge);\n})()`;
}

/** The preload with everything it needs, as source for the isolated world. */
export function isolatedSource(config: IsolatedConfig, preload: string): string {
  return [
    '(() => {',
    `const makeBridge = ${makeBridge.toString()};`,
    `const makeEmitter = ${makeEmitter.toString()};`,
    `const makeCodec = ${makeCodec.toString()};`,
    `(${runIsolated.toString()})(${JSON.stringify(config)}, makeBridge, makeCodec, makeEmitter, function (${parameters}) {`,
    preload,
    '});',
    '})()',
  ].join('\n');
}
