// The app in which one of Electron's own spec files runs: Mocha and what it imports come from beside the specs.
const { app, BrowserWindow, protocol, webContents } = require('electron');
const { createRequire } = require('node:module');
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

const { file, run, failing, report } = JSON.parse(process.env.ELECTRON_SPECS);
const fromSpecs = createRequire(file);
const isStandIn = 'electronHost' in process.versions;
const stop = (error) => {
  process.stderr.write(`${error?.stack ?? error}\n`);
  app.exit(2);
};
process.on('uncaughtException', stop);

app.setPath('userData', path.join(app.getAppPath(), app.name));
app.on('window-all-closed', () => undefined);
process.env.ELECTRON_DISABLE_SECURITY_WARNINGS = 'true';

// What the specs find in their own runner.
v8.setFlagsFromString('--expose_gc');
app.commandLine.appendSwitch('js-flags', '--expose_gc');
app.commandLine.appendSwitch('use-fake-device-for-media-stream');
globalThis.standardScheme = 'app';
globalThis.zoomScheme = 'zoom';
globalThis.serviceWorkerScheme = 'sw';
const standard = { standard: true, secure: true };
const fetched = { supportFetchAPI: true };
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { ...standard, stream: false } },
  { scheme: 'zoom', privileges: standard },
  { scheme: 'sw', privileges: { ...standard, allowServiceWorkers: true } },
  { scheme: 'http-like', privileges: { ...standard, ...fetched, corsEnabled: true } },
  { scheme: 'cors-blob', privileges: { ...fetched, corsEnabled: true } },
  { scheme: 'cors', privileges: { ...fetched, corsEnabled: true } },
  { scheme: 'no-cors', privileges: fetched },
  { scheme: 'no-cors-standard', privileges: { ...fetched, standard: true } },
  { scheme: 'no-fetch', privileges: { corsEnabled: true } },
  { scheme: 'stream', privileges: { standard: true, stream: true } },
  { scheme: 'foo', privileges: { standard: true } },
  { scheme: 'bar', privileges: { standard: true } },
]);
if (isStandIn) {
  // Specs start Electron by this path, and make pages without windows by this method.
  process.execPath = process.argv[0];
  webContents.create = (webPreferences) => {
    const window = new BrowserWindow({ show: false, webPreferences });
    return Object.assign(window.webContents, { destroy: () => window.destroy() });
  };
  const requestGarbageCollectionForTesting = vm.runInNewContext('gc');
  process._linkedBinding = (name) => {
    if (name === 'electron_common_v8_util') return { requestGarbageCollectionForTesting };
    throw new Error(`No such binding was linked: ${name}`);
  };
}

const ts = fromSpecs('typescript');
const compilerOptions = { module: 'commonjs', target: 'es2022', esModuleInterop: false };
require.extensions['.ts'] = (module, fileName) => {
  const { outputText } = ts.transpileModule(fs.readFileSync(fileName, 'utf8'), { fileName, compilerOptions });
  module._compile(outputText, fileName);
};

async function runSpecs() {
  const chai = fromSpecs('chai');
  chai.use(fromSpecs('chai-as-promised'));
  chai.use(fromSpecs('dirty-chai'));
  const Mocha = fromSpecs('mocha');
  const mocha = new Mocha({ reporter: 'spec', timeout: 30_000, retries: 1 });
  // What a test deferred runs before its suite's own hooks.
  mocha.suite.on('suite', function attach(suite) {
    suite.afterEach('cleanup', () => fromSpecs('./lib/spec-helpers').runCleanupFunctions());
    suite.on('suite', attach);
  });
  // A suite that cannot even be put together here, as one that reads files in an archive, is left out.
  mocha.suite.on('pre-require', (context) => {
    const { describe } = context;
    const attempt = (title, define) =>
      describe(title, function () {
        try {
          define.call(this);
        } catch (error) {
          process.stderr.write(`left out: ${title}: ${error.message}\n`);
        }
      });
    context.describe = Object.assign(attempt, describe);
  });
  mocha.addFile(file);
  mocha.loadFiles();
  const disabled = new Set(fromSpecs('./disabled-tests.json'));
  const results = {};
  (function prepare(suite) {
    suite.tests = suite.tests.filter((test) => run.some((start) => test.fullTitle().startsWith(start)));
    for (const test of suite.tests) {
      if (disabled.has(test.fullTitle())) test.pending = true;
      results[test.fullTitle()] = test.isPending() ? false : 'did not run';
      // Those that wait for what will not come should not wait long.
      if (failing.includes(test.fullTitle())) test.timeout(2000).retries(0);
    }
    suite.suites.forEach(prepare);
  })(mocha.suite);
  mocha
    .run(() => {
      fs.writeFileSync(report, JSON.stringify(results));
      app.exit(0);
    })
    .on('pass', (test) => (results[test.fullTitle()] = null))
    .on('pending', (test) => (results[test.fullTitle()] = false))
    .on('fail', (test, error) => {
      // A file may wait at its end for connections that Chromium has made in advance.
      if (test.type === 'hook' && test.title.includes('after all')) return;
      results[test.fullTitle()] = String(error?.message ?? error);
    });
}
app.whenReady().then(runSpecs).catch(stop);
