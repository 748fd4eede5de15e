import type { SecretProvider } from '../provider.ts';

/** Returns the value of an environment variable. An unset variable is an error, an empty one is not. */
export const envProvider: SecretProvider = {
  name: 'env',
  resolve({ key }, { variables }) {
    const value = Object.hasOwn(variables, key) ? variables[key] : undefined;
    if (value !== undefined) return Promise.resolve(value);
    return Promise.reject(
      new Error(
        `the variable ${key} is not set; set it in the environment of the engine, in "env" or in a dotenv file`,
      ),
    );
  },
};
