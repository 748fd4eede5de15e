@echo off
rem The command engine of the installed app: the app itself, run as Node.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Stepwright.exe" "%~dp0..\app.asar\out\cli\engine.js" %*
exit /b %ERRORLEVEL%
