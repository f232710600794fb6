import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

app.setPath('userData', process.env.OVOZ_DATA_DIR);
app.setPath('sessionData', join(process.env.OVOZ_DATA_DIR, 'browser'));
app.enableSandbox();
app.on('window-all-closed', () => app.quit());
void app.whenReady().then(() => new BrowserWindow({ width: 1280, height: 800 }).loadFile('index.html'));
