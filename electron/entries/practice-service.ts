import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readFaultPlan } from '../practice/faults.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../practice/server.ts';
import type { PracticeMessage, PracticeOrder } from '../services/practice/practice-supervisor.ts';
import { keepFactor, modelFinder } from '../recogniser/model-store.ts';

const usage =
  'Usage: npm run practice -- [--port N] [--state-dir DIR] [--fault-plan FILE] [--max-upload-mib N] [--webhook-receiver URL] [--plan free|paid]';

/** Electron's utility process, declared here by the members in use, because this entry also runs without Electron. */
interface ParentPort {
  postMessage(message: PracticeMessage): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}
const parentPort = (process as NodeJS.Process & { readonly parentPort?: ParentPort }).parentPort;

function numberOf(text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) || Number(text) > most) throw new TypeError(`${text} is not a number from 0 to ${most}`);
  return Number(text);
}

async function readOptions(workerUrl: URL): Promise<PracticeOptions> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'state-dir': { type: 'string' },
      'fault-plan': { type: 'string' },
      'max-upload-mib': { type: 'string' },
      'webhook-receiver': { type: 'string' },
      plan: { type: 'string' },
      models: { type: 'string' },
      model: { type: 'string' },
    },
    strict: true,
  });
  const port = numberOf(values.port, 65_535);
  const maxMib = numberOf(values['max-upload-mib'], 100_000);
  if (values.plan !== undefined && !['free', 'paid'].includes(values.plan))
    throw new TypeError('a plan is free or paid');
  const { model, models } = values;
  const faultPath = values['fault-plan'];
  const faultPlan = faultPath === undefined ? null : await readFaultPlan(faultPath);
  if (faultPlan?.ok === false) throw new TypeError(`the fault plan cannot be used: ${faultPlan.error}`);
  return {
    workerUrl,
    // The entry is as deep in the sources as its bundle is in the package.
    samplesFolder: new URL('../../assets/samples/', workerUrl),
    ...(port === undefined ? {} : { port }),
    ...(values['state-dir'] === undefined ? {} : { stateDir: values['state-dir'] }),
    ...(maxMib === undefined ? {} : { limits: { maxBodyBytes: maxMib * 1024 * 1024 } }),
    ...(values['webhook-receiver'] === undefined ? {} : { webhookReceiver: values['webhook-receiver'] }),
    ...(model === undefined && models === undefined
      ? {}
      : {
          recognition: {
            modelFor: modelFinder({ kept: models ?? null, chosen: model ?? null }),
            onFactor: ({ id }, factor) => {
              if (models !== undefined) keepFactor(models, id, factor).catch(() => undefined);
            },
          },
        }),
    ...(values.plan === 'free' ? { plan: 'free' } : {}),
    ...(faultPlan === null ? {} : { faultPlan: faultPlan.value }),
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'practice_failed';

/** Ends with the signal or with the parent, whichever comes first, and removes its temporary folder. */
function closeWith(server: PracticeServer, isChild: boolean): () => void {
  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
  if (isChild) process.on('disconnect', close);
  return close;
}

interface Parent {
  readonly send: (message: PracticeMessage) => void;
  readonly listen: (listener: (message: unknown) => void) => void;
  readonly startsAgain: boolean;
}

const practiceOrder = z.object({ type: z.literal('pause'), isPaused: z.boolean() }) satisfies z.ZodType<PracticeOrder>;

/** Windows and typing come first. */
function workInBackground(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A system without priorities, or one that refuses them.
  }
}

/** A child reports over the pipe, because arguments, environment and files can be read by others. */
async function runAsChild(workerUrl: URL, parent: Parent): Promise<void> {
  const { send, listen } = parent;
  try {
    const options = await readOptions(workerUrl);
    let retire = (): void => undefined;
    if (options.recognition !== undefined) workInBackground();
    const server = await startPracticeServer({
      ...options,
      ...(options.recognition && { recognition: { ...options.recognition, onWorn: () => retire() } }),
    });
    const close = closeWith(server, true);
    if (parent.startsAgain)
      retire = () => {
        if (!server.isBusy()) close();
      };
    listen((message) => {
      const order = practiceOrder.safeParse(message);
      if (order.success) server.pauseRecognition(order.data.isPaused);
    });
    const { url, token, accessToken, legacyToken, callHost } = server;
    send({ type: 'ready', url, token, accessToken, legacyToken, callHost });
  } catch (error) {
    send({ type: 'failed', code: codeOf(error) });
    process.exitCode = 1;
    if (process.connected) process.disconnect();
  }
}

async function runAlone(workerUrl: URL): Promise<void> {
  try {
    const server = await startPracticeServer(await readOptions(workerUrl));
    closeWith(server, false);
    console.log(`Practice service: ${server.url}`);
    console.log(`Access token of the account: ${server.accessToken}`);
    console.log(`Key of the legacy API: ${server.legacyToken}`);
    console.log(`Legacy live speech by gRPC: ${server.callHost}`);
    console.log(`Key: ${server.token}`);
    console.log('It does not recognise speech; it knows the words of the bundled samples only. Stop it with Ctrl+C.');
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'The practice service could not start.');
    if (error instanceof TypeError) console.error(usage);
    process.exitCode = error instanceof TypeError ? 2 : 1;
  }
}

/** Runs the service until it is stopped: for a parent that waits for its messages, or for a user at the terminal. */
export async function runPractice(workerUrl: URL): Promise<void> {
  if (parentPort !== undefined)
    await runAsChild(workerUrl, {
      send: (message) => parentPort.postMessage(message),
      listen: (listener) => parentPort.on('message', ({ data }) => listener(data)),
      startsAgain: true,
    });
  else if (process.send !== undefined)
    await runAsChild(workerUrl, {
      send: (message) => process.send?.(message),
      listen: (listener) => process.on('message', listener),
      startsAgain: false,
    });
  else await runAlone(workerUrl);
}
