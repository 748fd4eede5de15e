/**
 * Makes a module object strict: reading a member that the stand-in lacks throws, with the member's name,
 * instead of returning undefined and failing elsewhere. Members may still be replaced, as tests do.
 * @param name the module's name in Electron, such as `dialog`
 */
export function createStrictModule<Members extends object>(name: string, members: Members): Members {
  return new Proxy(members, {
    get(target, key) {
      // Promises read `then`, serializers `toJSON`, consoles symbols: those reads are allowed.
      if (typeof key === 'symbol' || key in target || key === 'then' || key === 'toJSON') {
        return Reflect.get(target, key, target) as unknown;
      }
      throw new Error(`electron stand-in: ${name}.${key} is not implemented`);
    },
  });
}
