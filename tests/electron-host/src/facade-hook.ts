import type { RegisterHooksOptions } from 'node:module';

/** Lets `electron` and the names that mean the same be found in `file`, beside this one. */
export function facadeHook(file: string): RegisterHooksOptions {
  const url = new URL(file, import.meta.url).href;
  return {
    resolve: (specifier, context, next) =>
      /^electron(\/(main|common|renderer|utility))?$/.test(specifier)
        ? { url, format: 'commonjs', shortCircuit: true }
        : next(specifier, context),
  };
}
