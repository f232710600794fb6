/** This computer: disk, library, keychain, files and exports. */
export const computerErrors = {
  'E-180': {
    title: 'Disk is full',
    text: 'Your disk is full. Nothing has been lost, but new work is on hold. Free some space; it then goes on by itself.',
  },
  'E-181': {
    title: 'Disk reported an error',
    text: 'Your disk reported an error. We stopped to protect your library. Check the disk, then try again.',
  },
  'E-182': {
    title: 'Library file was damaged',
    text: 'Your library file was damaged. The damaged file is kept, and what could be restored is restored.',
  },
  'E-183': {
    title: 'Already open',
    text: 'Ovoz Studio is already open. Use the copy that is running, or close it first.',
  },
  'E-184': {
    title: 'Library from a newer version',
    text: 'This library was made by a newer version. It was not changed. Update the app to open it.',
  },
  'E-185': {
    title: 'App folder can’t be written',
    text: 'The app’s folder can’t be written. Nothing was sent. Check its permissions and the disk, then try again.',
  },
  'E-186': {
    title: 'Settings were reset',
    text: 'Settings were damaged and have been reset; your library is fine. The damaged file is kept.',
  },
  'E-190': {
    title: 'No safe place for the key',
    text: 'This computer has no safe place to store a key. You can enter it for this session only; it is forgotten when you quit.',
  },
  'E-191': {
    title: 'Keychain is locked',
    text: 'Your keychain is locked. Unlock it to go on; your files are waiting.',
  },
  'E-192': {
    title: 'Waiting for the keychain',
    text: 'Waiting for your keychain to answer. You can go on by entering the key for this session.',
  },
  'E-193': {
    title: 'Not allowed to read the key',
    text: 'The app was not allowed to read its key. Allow it and try again, or enter the key once more.',
  },
  'E-194': {
    title: 'Key could not be stored',
    text: 'The key could not be stored safely, so it counts as not saved. You can use it until you quit.',
  },
  'E-206': { title: 'Window restarted', text: 'The window restarted. Your work is unharmed.' },
  'E-207': {
    title: 'Resumed after a crash',
    text: 'The app closed unexpectedly. Your work was kept and goes on; nothing is sent or charged twice.',
  },
  'E-208': {
    title: 'Work goes on next time',
    text: 'Some work is still on its way. It will go on when you open the app again.',
  },
  'E-209': { title: 'Update is ready', text: 'An update is ready. It installs when you quit; nothing is interrupted.' },
  'E-210': {
    title: 'Computer’s clock changed',
    text: 'The computer’s clock changed. Waits were worked out again; nothing is lost.',
  },
  'E-211': {
    title: 'Not a readable recording',
    text: '{{name}} is not a recording that can be read, so it was not sent. Nothing was charged.',
    textPlain: 'This is not a recording that can be read, so it was not sent. Nothing was charged.',
  },
  'E-212': {
    title: 'Already transcribed',
    text: 'You already transcribed this on {{date}}. It was not sent again. Open that one, or send it again (a new charge).',
    textPlain: 'You already transcribed this. It was not sent again. Open that one, or send it again (a new charge).',
  },
  'E-213': {
    title: 'Name is already taken',
    text: 'A file with that name is there already, or the name can’t be used. Nothing was overwritten; choose another name.',
  },
  'E-214': {
    title: 'Export not finished',
    text: 'The export could not be finished; your old file is untouched. Try again or choose another place.',
  },
};
