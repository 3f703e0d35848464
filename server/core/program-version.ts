/** The version of this program, as in package.json. */
export const programVersion = '0.1.0';
