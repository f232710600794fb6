/** The menu of the app in the tray of the system. */
export const tray = {
  nothing: 'Nothing in the queue',
  held: 'Everything is paused',
  atService: 'at the service',
  preparing: 'getting ready',
  more_one: 'and {{count}} more',
  more_other: 'and {{count}} more',
  pause: 'Pause all',
  goOn: 'Go on with all',
  absent: 'This system gives the app no tray: progress, pausing everything and quitting are in this window.',
  open: 'Open Ovoz Studio',
};
