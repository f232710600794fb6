/** Words that several screens share. */
export const common = {
  appName: 'Ovoz Studio',
};
