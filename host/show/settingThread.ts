/** A thread that writes result tables. */
import { type Fault, faultOf } from '../code/fault.js';
import { type SettingFiles, writeSettings } from './settingTable.js';

/** Writes a result table; returns what was wrong. */
export default async function write(files: SettingFiles): Promise<Fault | undefined> {
  try {
    await writeSettings(files);
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}
