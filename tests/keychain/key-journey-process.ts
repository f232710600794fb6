import { openJsonLog } from '../../electron/platform/node/json-log.ts';
import { locateDataFolder, prepareDataFolder } from '../../electron/platform/node/data-folder.ts';
import { openSettingsForTerminal } from '../../electron/platform/node/settings-conf.ts';
import { createKeytarStore } from '../../electron/platform/keychain/keytar-store.ts';
import { createKeyService } from '../../electron/services/secrets/key-service.ts';

/** Enters a key and uses it as the app does, in the given folder; the key and a control arrive through the pipe. */
let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += String(chunk);
const { dataDir, key, control } = JSON.parse(input) as { dataDir: string; key: string; control: string };

const folder = locateDataFolder(dataDir);
prepareDataFolder(folder);
const settings = openSettingsForTerminal(folder.root, () => undefined);
const log = openJsonLog(`${folder.logs}/studio.log`);
const keys = createKeyService({ store: createKeytarStore(), settings, environmentKey: null });
const careless = { event: 'key-entered', key, code: key, route: `/v1/${key} `, keys };

await keys.load();
await keys.save(key);
settings.update({ serviceAddress: `https://${control}.example` });
log.write(careless);
log.write({ event: 'control', item: control });
console.log(JSON.stringify({ ...keys.describe(), text: String(keys.current()) }));
