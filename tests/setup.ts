/** In every worker: the library's parts find the core where the package has it. */
import '../host/files/coreFile.js';
