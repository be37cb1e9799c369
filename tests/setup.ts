/** Setup of every test worker: lets the library find the core in the package. */
import '../host/files/coreFile.js';
