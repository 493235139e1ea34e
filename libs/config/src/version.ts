/** The version of this release, which package.json has as well: a spec compares them. */
export const version = '0.2.0';
